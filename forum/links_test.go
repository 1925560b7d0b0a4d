package forum

import (
	"testing"
)

func TestF42SessionIDsInABodyAreStripped(t *testing.T) {
	page := func(sid string) Answer {
		return Answer{URL: "http://b.example/viewtopic.php?t=5", Body: []byte(`<body id="phpbb"><div id="p7" class="post"><div class="postbody"><div class="content">
see <a href="./viewtopic.php?p=3&amp;` + sid + `">that</a> and <a href="http://files.example/?s=abc">this</a></div></div></div>`)}
	}
	first, later := Read(page("sid=0123456789abcdef"), View{}), Read(page("sid=fedcba9876543210"), View{})
	if first.Posts[0].Hash != later.Posts[0].Hash || first.Posts[0].HTML != later.Posts[0].HTML {
		t.Errorf("two visits read %q and %q", first.Posts[0].HTML, later.Posts[0].HTML)
	}
	if want := "see <a href=\"./viewtopic.php?p=3\">that</a> and <a href=\"http://files.example/?s=abc\">this</a>"; fold(first.Posts[0].HTML) != want {
		t.Errorf("the body is %q, wanted %q", fold(first.Posts[0].HTML), want)
	}
}

func TestUserID(t *testing.T) {
	for link, want := range map[string]string{
		"./memberlist.php?mode=viewprofile&u=48":  "48",
		"member.php?action=profile&uid=3":         "3",
		"user-12.html":                            "12",
		"index.php?action=profile;u=4":            "4",
		"profile.php?id=5":                        "5",
		"member.php/12-Oleg":                      "12",
		"member.php?12-Oleg":                      "12",
		"member.php?u=9":                          "9",
		"/members/oleg.v2.12/":                    "12",
		"members/7.12/":                           "12",
		"members/12/":                             "12",
		"index.php?members/oleg.12/":              "12",
		"https://b.example/member/12-oleg.7":      "12",
		"https://b.example/profile/17-oleg/":      "17",
		"index.php?showuser=8":                    "8",
		"members/12-x.7":                          "12", // a name with a stop and digits in it
		"members/12-x.7/":                         "7",
		"/user/5oleg":                             "",
		"/user/oleg":                              "",
		"memberlist.php?mode=viewprofile&u=0":     "",
		"0":                                       "",
		" 31 ":                                    "31",
		"showthread.php?tid=4":                    "",
		"index.php?action=profile;area=showposts": "",
	} {
		if got := userID(link); got != want {
			t.Errorf("userID(%q) is %q, wanted %q", link, got, want)
		}
	}
}

func TestNumbersAreReadWithTheirGroups(t *testing.T) {
	for text, want := range map[string]int{"Results 21 to 30 of 33": 33, "Results 1 to 10 of 1,204": 1204, "1.204 Beiträge": 1204, "12\u00a0345": 12345, "Page 3 of 4": 4, "none": -1} {
		if got := number(text, -1); got != want {
			t.Errorf("number(%q) is %d, wanted %d", text, got, want)
		}
	}
}
