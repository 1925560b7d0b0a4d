package heroeslands

import "testing"

func FuzzLetter(f *testing.F) {
	written().Fuzz(f, playground,
		"GRANT FEUD Marsh IN HL3 TO Ivan\nRESULT DUEL 1 WINNER Oleg\nCREDIT -5 TO Oleg\nISSUE SAVES\nCLOSE TOURNEY Spring IN HL3",
		"STATUS",
		"SERVE Oleg IN HL3\nCHALLENGE Oleg\nLEAVE CLAN\nPAY 99999999999999999999 TO Boris",
		"CHALLENGE Boris\nPOSTPONE DUEL 1 BY -3 DAYS\nDECLARE WAR ON Anna IN HL3 WITH 2\nROSTER Ivan, Anna\nRELEASE Ivan\nGIVE FEUD A TO Ivan",
		"INSERT Mill INTO DUEL 1\nACCEPT DUEL\nASK PROTECTION IN DUEL 1\nSTAND IN FOR Ivan\nКЛАНОВЫЕ ПРАВИЛА ДА ВОЙНА 1",
		"SAVE Oleg_save1 DAYS 31 POINTS 502\nВЫЗВАТЬ Boris В HL3 ЗА ВАССАЛИТЕТ\nANNOUNCE VASSALAGE WITH Ivan IN HL3")
}
