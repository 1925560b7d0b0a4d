package kingmaker

import "testing"

func FuzzLetter(f *testing.F) {
	stage().Fuzz(f, theMarch,
		"AWARD Delaval TO Grey\nPLACE Aske AT Tern\nRESULT OF SIEGE 1 FALLS KILLED Aske\nDRAW events\nWORLD LOCATIONS",
		"READY\nAske MOVES FROM Crag TO Hazeldene IN the Uplands BY ROAD",
		"Aske MOVES TO Birkrigg OFF ROAD\nAyton EMBARKS ON Tern\nTern MOVES TO Cold Sea\nAske, Ayton FORM ARMY IN Crag\nARMY 1 BESIEGES Crag",
		"ALLY WITH Blue, Green\nBREAK ALLIANCE WITH Blue\nPERMIT Blue PASS, ENTER AT Crag STANDING\nREVOKE Blue AT Crag",
		"CONFIRM ALLIANCE 1\nREFUSE ORDER 99999999999999999999\nBolam BATTLES Green IN Birkrigg\nБьюик ЗАЩИЩАЕТ Красные В Уайкпорт",
		"Carnaby CAPTURES Rosamund\nАРМИЯ 7 ИДЁТ В Уайкпорт\nClavering DISEMBARKS FROM Tern INTO Gullhaven")
}
