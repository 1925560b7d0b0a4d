package heroeslands

import "arroba/rules"

func pictures(s *State, v rules.Viewer) []rules.Picture { return nil }
