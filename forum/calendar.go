package forum

import (
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/goodsign/monday"
)

// months are months of a year, a bit each: a word may mean one in one language and another in another (listopad).
type months uint16

// one is the month, 0 when there is none or more than one.
func (m months) one() time.Month {
	for i := time.January; i <= time.December; i++ {
		if m == 1<<i {
			return i
		}
	}
	return 0
}

// calendar knows how people call months and days, in lower case.
type calendar struct {
	months map[string]map[string]months // by language; "" for all of them
	days   map[string]time.Weekday
	dayish map[string]bool // beginnings of names of days
}

// moreMonths are names that the library lacks, as they stand in dates.
var moreMonths = map[string]string{
	"be":    "студзеня лютага сакавіка красавіка мая чэрвеня ліпеня жніўня верасня кастрычніка лістапада снежня",
	"sr":    "januar februar mart april maj jun jul avgust septembar oktobar novembar decembar",
	"mk":    "јануари февруари март април мај јуни јули август септември октомври ноември декември",
	"rs":    "јануар фебруар март април мај јун јул август септембар октобар новембар децембар",
	"is":    "janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember",
	"gl":    "xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro",
	"eu":    "urtarrila otsaila martxoa apirila maiatza ekaina uztaila abuztua iraila urria azaroa abendua",
	"hr":    "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca",
	"he":    "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",
	"ar":    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
	"eo":    "januaro februaro marto aprilo majo junio julio aŭgusto septembro oktobro novembro decembro",
	"fr":    "janvier févr mars avr mai juin juil août sept oct nov déc",
	"de":    "jan feb mär apr mai jun jul aug sept okt nov dez",
	"es":    "ene feb mar abr may jun jul ago sept oct nov dic",
	"cs":    "led úno bře dub kvě čer čec srp zář říj lis pro",
	"ru":    "янв фев мар апр май июн июл авг сент окт нояб дек",
	"de-at": "jän feb mrz apr mai jun jul aug sep okt nov dez",
	"cs-cz": "led úno bře dub kvě čvn črc srp zář říj lis pro",
	"lt-lt": "sau vas kov bal geg bir lie rgp rgs spa lap grd",
	"en":    "jan feb mar apr may june july aug sept oct nov dec",
}

// names is the calendar of all languages, made when the first date is read.
var names = sync.OnceValue(func() calendar {
	c := calendar{map[string]map[string]months{"": {}}, map[string]time.Weekday{}, map[string]bool{}}
	for lang, names := range moreMonths {
		lang, _, _ := strings.Cut(lang, "-")
		for i, name := range strings.Fields(names) {
			c.month(lang, name, time.Month(i+1))
		}
	}
	for _, locale := range monday.ListLocales() {
		lang, _, _ := strings.Cut(string(locale), "_")
		for i := range 12 {
			month := time.Month(i + 1)
			c.month(lang, monday.GetLongMonths(locale)[i], month)
			c.month(lang, monday.GetShortMonths(locale)[i], month)
			if in := strings.Fields(monday.Format(time.Date(2000, month, 2, 0, 0, 0, 0, time.UTC), "2 January", locale)); len(in) == 2 {
				c.month(lang, in[1], month)
			}
		}
		first := time.Monday
		if locale == monday.LocaleEnUS || locale == monday.LocaleJaJP {
			first = time.Sunday
		}
		for i := range 7 {
			day := (first + time.Weekday(i)) % 7
			c.day(monday.GetLongDays(locale)[i], day)
			c.day(monday.GetShortDays(locale)[i], day)
		}
	}
	return c
})

// month notes a name, and its beginnings, which stand for it where nothing is called so itself.
func (c calendar) month(lang, name string, m time.Month) {
	name = lower(name)
	if c.months[lang] == nil {
		c.months[lang] = map[string]months{}
	}
	for _, of := range []map[string]months{c.months[""], c.months[lang]} {
		of[name] |= 1 << m
		runes := []rune(name)
		for n := 3; n < len(runes); n++ {
			of[string(runes[:n])+"…"] |= 1 << m
		}
	}
}

// day notes the name of a day of the week.
func (c calendar) day(name string, d time.Weekday) {
	name = lower(name)
	c.days[name] = d
	runes := []rune(name)
	for n := min(2, len(runes)); n <= len(runes); n++ {
		c.dayish[string(runes[:n])] = true
	}
}

// monthOf is the month that a word of a date names, 0 for none; with endings of any kind, in the language of the page where
// languages differ.
func (c calendar) monthOf(word, lang string) time.Month {
	if m := nameIn(c.months[""], word); m.one() != 0 || m == 0 {
		return m.one()
	}
	return nameIn(c.months[lang], word).one()
}

// nameIn finds a name, else one that begins as the word does, or as it does without an ending of up to two letters.
func nameIn(names map[string]months, word string) months {
	for cut := 0; cut <= 2; cut++ {
		if m := names[word]; m != 0 {
			return m
		}
		if m := names[word+"…"]; m != 0 {
			return m
		}
		_, size := utf8.DecodeLastRuneInString(word)
		if word = word[:len(word)-size]; utf8.RuneCountInString(word) < 4 {
			break
		}
	}
	return 0
}

// lower is how words are looked up.
func lower(s string) string { return strings.TrimRight(strings.ToLower(s), ".") }

// days that are named by how far they are from today.
var nearDays = phrases(map[int]string{
	0: "today|heute|aujourd'hui|aujourd’hui|hoy|oggi|hoje|dzisiaj|dziś|dzis|vandaag|dnes|сегодня|сьогодні|сёння|днес|денес|danas|данас|danes|idag|i dag|í dag|tänään|täna|ma|azi|astăzi|avui|hoxe|gaur|" +
		"bugün|bugun|бүгін|σήμερα|šiandien|šodien|hari ini|hôm nay|วันนี้|اليوم|היום|今天|今日|오늘|hodiaŭ",
	-1: "yesterday|gestern|hier|ayer|ieri|ontem|wczoraj|gisteren|včera|вчера|вчора|учора|вчерашно|jučer|juče|јуче|včeraj|igår|i går|í gær|eilen|eile|tegnap|ahir|onte|atzo|" +
		"dün|kecha|кеше|χθες|χτες|vakar|kemarin|hôm qua|เมื่อวาน|أمس|אתמול|昨天|昨日|어제|hieraŭ",
	-2: "vorgestern|позавчера|позавчора|anteayer|avant-hier|l'altro ieri|anteontem|przedwczoraj|eergisteren|předevčírem|förrgår|i förrgår|предвчера",
})

// marks of how long ago something was, before or behind it.
var agoWords = strings.Split("ago|vor|назад|тому|il y a|hace|fa|há|atrás|temu|geleden|před|pred|sedan|siden|sitten|önce|πριν|prije|pre|пре|преди|пред|acum|таму|prieš|pirms|tagasi|ezelőtt|evvel|"+
	"yang lalu|trước|ที่แล้ว|قبل|לפני|前|전|fyrir", "|")

// what was written within the last minute.
var justNow = strings.Split("just now|a moment ago|moments ago|few seconds ago|gerade eben|soeben|wenigen sekunden|только что|секунд назад|à l'instant|à l’instant|quelques secondes|hace un momento|"+
	"hace unos segundos|poco fa|pochi secondi fa|proprio ora|agora mesmo|przed chwilą|kilka sekund temu|zojuist|enkele seconden geleden|právě teď|před chvílí|щойно|секунд тому|just nu|nyss|lige nu|"+
	"akkurat nå|juuri nyt|az önce|şimdi|μόλις τώρα|刚刚|剛剛|たった今|방금", "|")

// words that say that it was less.
var lessWords = strings.Split("less|weniger|менее|меньше|moins|menos|meno|mniej|minder|méně|менше|mindre|alle|môj|manj|manje|mai puțin", "|")

// units of time by how their names begin; the longest that fits counts.
var unitNames = map[time.Duration]string{
	time.Second:           "sec sek сек másodperc saniye sekund δευτ 秒 초",
	time.Minute:           "min мин мін хв хвіл λεπτ dakika perc 分 분",
	time.Hour:             "hour hr std stunde час годин гадз heur hora ora ore godz uur uren hodin timm tim tunti tuntia óra órá saat ώρ sat valand stund tund 小时 小時 時 시간",
	day:                   "day tag день дн дня jour día dias dies giorn dzień dni dag den dny dnů dní днів päiv nap gün ημέρ μέρ dan dien diena päev zile 天 日 일",
	7 * day:               "week woche недел тижн тижд semaine seman settiman tydzień tygod týdn týden veck uge uke viikko hét hafta εβδομ tjedan săptăm setman 周 週 주",
	30 * day:              "month monat месяц міся mois mes meses mesi miesi maand měsíc månad måned kuukau hónap μήν mjesec lun 个月 か月 개월",
	365*day + 6*time.Hour: "year jahr год года лет рік рок año anno anni ano rok lat jaar år vuo év yıl χρόν godin 年 년",
}

const day = 24 * time.Hour

// unitOf is the unit of time that a word names, 0 for none.
func unitOf(word string) time.Duration {
	length, unit := 0, time.Duration(0)
	for u, names := range unitNames {
		for name := range strings.FieldsSeq(names) {
			if len(name) > length && strings.HasPrefix(word, name) && utf8.RuneCountInString(word)-utf8.RuneCountInString(name) <= 4 {
				length, unit = len(name), u
			}
		}
	}
	return unit
}

// halves of a day of twelve hours, behind the time and before it: true for the second.
var (
	halves = map[string]bool{
		"am": false, "a.m": false, "a. m": false, "πμ": false, "π.μ": false, "öö": false, "dop": false, "fm": false, "ص": false,
		"pm": true, "p.m": true, "p. m": true, "μμ": true, "μ.μ": true, "ös": true, "odp": true, "em": true, "م": true,
	}
	halvesBefore = map[string]bool{"上午": false, "午前": false, "오전": false, "下午": true, "午後": true, "오후": true}
)

func phrases(lists map[int]string) map[string]int {
	m := map[string]int{}
	for n, list := range lists {
		for _, phrase := range strings.Split(list, "|") {
			m[phrase] = n
		}
	}
	return m
}

// hasPhrase tells whether a text has a phrase on its own; scripts without blanks between words have it anywhere.
func hasPhrase(s, phrase string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], phrase)
		if i < 0 {
			return false
		}
		first, _ := utf8.DecodeRuneInString(phrase)
		before, _ := utf8.DecodeLastRuneInString(s[:from+i])
		after, _ := utf8.DecodeRuneInString(s[from+i+len(phrase):])
		anywhere := unicode.In(first, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana, unicode.Thai)
		if anywhere || !unicode.IsLetter(before) && !unicode.IsLetter(after) {
			return true
		}
		from += i + len(phrase)
	}
}

// longest returns the longest of the phrases that a text has, "" for none.
func longest(s string, list map[string]int) (found string) {
	for phrase := range list {
		if len(phrase) > len(found) && hasPhrase(s, phrase) {
			found = phrase
		}
	}
	return found
}

func hasAny(s string, list []string) bool {
	for _, phrase := range list {
		if hasPhrase(s, phrase) {
			return true
		}
	}
	return false
}
