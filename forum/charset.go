package forum

import (
	"errors"
	"unicode/utf8"
)

// decode turns the bytes of an answer into text.
func decode(a Answer, v View) (string, error) {
	if !utf8.Valid(a.Body) {
		return "", errors.New("its bytes are in no charset that is known here")
	}
	return string(a.Body), nil
}
