package turns

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"arroba/orders"
	"arroba/outbox"
	"arroba/rules"
	"arroba/templates"
)

// parcel is the one mail that a cause sends to one address.
type parcel struct {
	kind    string
	to      string
	member  *Member // nil for an address of copies
	reader  templates.Reader
	knows   []bool // by event of the cause
	apart   bool   // it is a letter without a name, and says nothing else
	leading int    // the first event that is the reason for the mail; -1 for none
}

// tell renders what a cause tells: at most one mail an address with everything that may be known there, and one post
// in the Tavern.
func (t *telling) tell() ([]outbox.Item, error) {
	var items []outbox.Item
	for _, p := range t.parcels() {
		if p.kind == outbox.Receipt && !t.w.mayAnswer(t.letter, t.g.Name, p.to, t.failed()) {
			continue
		}
		it, err := t.mail(p)
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return t.post(items)
}

// failed tells whether nothing of what the letter ordered was done.
func (c *cause) failed() bool {
	return !slices.ContainsFunc(c.ruled, func(r Ruled) bool { return r.Verdict == orders.Accepted })
}

type telling struct {
	*cause
	data  []rules.Data // of the events, as JSON gives them back: the board reads them so too
	texts map[textKey]string
	drawn drawing
}

type textKey struct {
	event          int
	language, zone string
	headline       bool
}

func (c *cause) telling() (*telling, error) {
	t := &telling{cause: c, data: make([]rules.Data, len(c.events)), texts: map[textKey]string{}, drawn: drawing{files: map[string]*outbox.File{}}}
	for i, ev := range t.events {
		if err := json.Unmarshal(ev.Data, &t.data[i]); err != nil {
			return nil, fmt.Errorf("reading the event %s: %w", ev.Type, err)
		}
	}
	return t, nil
}

// parcels finds who is to have a mail: the writer first, then members in their order, then addresses of copies. An
// address that is both a member's and a copy's has one parcel. One that gets a mail a day gets that of the opening.
func (t *telling) parcels() []*parcel {
	var list []*parcel
	for i := range t.g.Members {
		if p := t.memberParcel(&t.g.Members[i]); p != nil {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *parcel) int { return rank(a.kind) - rank(b.kind) })
	for _, to := range t.besides {
		if len(list) > 0 && list[0].kind == outbox.Receipt && foldAddress(to) != foldAddress(list[0].to) {
			too := *list[0]
			too.to = to
			list = append(list, &too)
		}
	}
	for i := range t.g.Copies {
		c := &t.g.Copies[i]
		p := t.copyParcel(c)
		if c.Digest && t.last > 0 || p.leading < 0 {
			continue
		}
		same := slices.IndexFunc(list, func(o *parcel) bool { return foldAddress(o.to) == foldAddress(c.Address) })
		if same < 0 {
			list = append(list, p)
			continue
		}
		for i, known := range p.knows {
			list[same].knows[i] = list[same].knows[i] || known
		}
	}
	return append(list, t.unsigned()...)
}

// unsigned are the mails of letters without a name. Each is a mail of its own: what else came of the writer's letter
// would name him.
func (t *telling) unsigned() (list []*parcel) {
	for i := range t.events {
		if !t.events[i].unsigned() {
			continue
		}
		for j := range t.g.Members {
			m := &t.g.Members[j]
			if m.mail() != "" && m.Seat != t.letter.seat && mayKnow(t.events[i], m) {
				p := &parcel{kind: outbox.Press, to: m.mail(), member: m, reader: t.reader(m), knows: make([]bool, len(t.events)), leading: i, apart: true}
				p.knows[i] = true
				list = append(list, p)
			}
		}
	}
	return list
}

// kinds in the order in which they name a mail that holds several things.
var kinds = []string{outbox.Receipt, outbox.Question, outbox.Press, outbox.Results, outbox.Reminder, outbox.Copy}

func rank(kind string) int { return slices.Index(kinds, kind) }

// memberParcel returns the mail of a member, nil when he is to have none.
func (t *telling) memberParcel(m *Member) *parcel {
	kind, to := outbox.Results, m.mail()
	if t.leaves(m) {
		to = first(m.Addresses)
	}
	if m.Role == rules.GM {
		kind = outbox.Copy
	}
	writer := t.letter != nil && t.letter.seat == m.Seat && len(t.ruled) > 0 && t.operator == ""
	if writer {
		kind, to, m = outbox.Receipt, t.to, cmp.Or(t.former, m)
	}
	p := t.parcel(kind, to, m)
	acted := slices.ContainsFunc(t.ruled, func(r Ruled) bool { return t.inName(m, r) }) || len(t.regiven(m)) > 0
	if to == "" || p.leading < 0 && !writer && !(acted && !t.tried) && !t.opening {
		return nil
	}
	return p
}

// parcel works out what may be known to a member: what is meant for him, and what the Tavern knows.
func (t *telling) parcel(kind, to string, m *Member) *parcel {
	p := &parcel{kind: kind, to: to, member: m, reader: t.reader(m), knows: make([]bool, len(t.events)), leading: -1}
	for i, ev := range t.events {
		direct := meantFor(ev, m) && !ev.unsigned()
		p.knows[i] = direct || slices.Contains(ev.Audience, "tavern")
		if direct && p.leading < 0 {
			p.leading = i
		}
		if kind := ev.kind(m); direct && rank(kind) < rank(p.kind) {
			p.kind, p.leading = kind, i
		}
	}
	return p
}

// kind is what a mail becomes by an event that it tells a member.
func (ev Event) kind(m *Member) string {
	switch {
	case ev.Type == outbox.Press:
		return outbox.Press
	case slices.Contains(ev.asked, m.Seat):
		return outbox.Question
	}
	return outbox.Copy
}

// copyParcel works out what an address of copies gets.
func (t *telling) copyParcel(c *CopyTo) *parcel {
	p := &parcel{kind: outbox.Copy, to: c.Address, reader: t.reader(nil), knows: make([]bool, len(t.events)), leading: -1}
	for i, ev := range t.events {
		if p.knows[i] = c.wants(ev, t.data[i]); p.knows[i] && p.leading < 0 {
			p.leading = i
		}
	}
	return p
}

func (t *telling) reader(m *Member) templates.Reader {
	if m == nil {
		return templates.Reader{Language: t.g.Language, Zone: t.g.Zone}
	}
	return m.reader()
}

// text renders an event once for all readers of a language and a zone.
func (t *telling) text(i int, r templates.Reader) (string, error) {
	return t.once(textKey{i, r.Language, r.Zone.String(), false}, func() (string, error) {
		return t.g.eventText(r, t.events[i].Type, t.events[i].At, t.data[i])
	})
}

func (t *telling) headline(i int, r templates.Reader) (string, error) {
	if i < 0 {
		return "", nil
	}
	return t.once(textKey{i, r.Language, r.Zone.String(), true}, func() (string, error) {
		return t.g.eventHeadline(r, t.events[i].Type, t.events[i].At, t.data[i])
	})
}

// once renders a text that several readers have alike once.
func (t *telling) once(key textKey, render func() (string, error)) (string, error) {
	if s, ok := t.texts[key]; ok {
		return s, nil
	}
	s, err := render()
	t.texts[key] = s
	return s, err
}

// mail renders a parcel.
func (t *telling) mail(p *parcel) (outbox.Item, error) {
	m := templates.Mail{Kind: p.kind, Game: t.g.Name, Title: t.g.ownTitle()}
	if p.member != nil {
		m.To = p.member.Nick
	}
	for i := range t.events {
		if !p.knows[i] {
			continue
		}
		s, err := t.text(i, p.reader)
		if err != nil {
			return outbox.Item{}, err
		}
		m.News = append(m.News, s)
	}
	var err error
	if m.Why, err = t.headline(p.leading, p.reader); err != nil {
		return outbox.Item{}, err
	}
	if err := t.words(&m, p); err != nil {
		return outbox.Item{}, err
	}
	if p.member != nil && p.kind != outbox.Press {
		if err := t.g.orderForm(&m, p.member); err != nil {
			return outbox.Item{}, err
		}
	}
	it := t.item(p.kind, p.to)
	it.ReplyTo = t.g.replyTo(p.member)
	if !p.apart {
		it.Files = append(t.carried(p.member), t.pictures(p)...)
	}
	if it.Subject, it.Text, err = t.g.kit.texts.Mail(p.reader, m); err != nil {
		return outbox.Item{}, err
	}
	if p.kind == outbox.Receipt {
		t.letter.thread(&it)
	}
	return it, nil
}

// words puts into a mail what is said besides the events: the receipt to the writer, and to a member what was ordered on
// his behalf.
func (t *telling) words(m *templates.Mail, p *parcel) (err error) {
	if p.apart {
		return nil
	}
	if m.Said, err = t.notes(p); err != nil {
		return err
	}
	if p.kind == outbox.Receipt {
		return t.receipt(m, p.member)
	}
	if p.member == nil || t.tried {
		return nil
	}
	if t.opening {
		return t.welcome(m, p.member)
	}
	for _, text := range []func(*Member) (string, error){t.onBehalf, t.undoneOf, t.givenAgain} {
		s, err := text(p.member)
		if err != nil {
			return err
		}
		if s != "" {
			m.Said = append(m.Said, s)
		}
	}
	return nil
}

// item is a mail of the game without its text. Mails that answer nothing hang on one thread a game.
func (t *telling) item(kind, to string) outbox.Item { return t.w.item(t.g, kind, to, t.last) }

func (w *work) item(g *live, kind, to string, input int64) outbox.Item {
	_, domain, _ := strings.Cut(g.Sender, "@")
	return outbox.Item{
		Game: g.Name, Input: input, Via: viaMail, Kind: kind, To: to, Date: w.now.Truncate(time.Second), From: g.Sender, FromName: g.Title,
		References: []string{"game." + g.Name + "@" + domain}, Auto: "auto-generated",
	}
}

// post adds the Tavern's post with all public events in order. The web board shows it as it stands; to a thread of a forum
// it is sent.
func (t *telling) post(items []outbox.Item) ([]outbox.Item, error) {
	r := t.reader(nil)
	var texts []string
	leading := -1
	for i, ev := range t.events {
		if !slices.Contains(ev.Audience, "tavern") {
			continue
		}
		if leading < 0 {
			leading = i
		}
		s, err := t.text(i, r)
		if err != nil {
			return nil, err
		}
		texts = append(texts, s)
	}
	if leading < 0 {
		return items, nil
	}
	subject, err := t.headline(leading, r)
	if err != nil {
		return nil, err
	}
	post := outbox.Item{
		Game: t.g.Name, Input: t.last, Via: viaPost, Kind: outbox.Results, To: "tavern", Subject: subject,
		Text: strings.Join(texts, "\n\n") + "\n", Date: t.events[leading].At.Truncate(time.Second), State: outbox.Sent,
	}
	posts, err := t.w.onForum(&t.g.Game, post)
	return append(append(items, post), posts...), err
}

// first is the first of a list, the zero value when there is none.
func first[T any](list []T) (zero T) {
	if len(list) == 0 {
		return zero
	}
	return list[0]
}
