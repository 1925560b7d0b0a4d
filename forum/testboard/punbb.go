package testboard

import (
	"maps"
	"net/http"
)

// punbb14 is PunBB 1.4, of which FluxBB was made: it cannot strike through, and shows signatures among the writer's lines.
var punbb14 = func() *Skin {
	s := *fluxbb15
	s.Name, s.Family, s.Size, s.Cookie, s.Serve = "punbb14", "punbb", 25, "forum_cookie", nil
	s.Missing = Missing{Status: http.StatusOK, Said: fluxbb15.Missing.Said}
	s.Markup.Tags = maps.Clone(fluxbbMarkup.Tags)
	delete(s.Markup.Tags, "s")
	return &s
}()
