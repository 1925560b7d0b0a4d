package heroeslands

// State is the whole of a game.
type State struct{}
