package turns

import (
	"errors"
	"fmt"
	"runtime/debug"

	"arroba/rules"
)

// fault is an error of one game, which is held for it; everything else goes on.
type fault struct{ err error }

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

func faultf(format string, args ...any) error { return &fault{fmt.Errorf(format, args...)} }

// isFault tells an error of one game from one of the database or the context, which stops the whole transaction.
func isFault(err error) bool {
	var f *fault
	var p *rules.PanicError
	return errors.As(err, &f) || errors.As(err, &p)
}

// guarded runs a function and turns a panic into a fault, so that a mistake in this program stops one game as a mistake
// in its rules does.
func guarded(f func() error) (err error) {
	defer func() {
		v := recover()
		if failed, ok := v.(error); ok && isFault(failed) {
			err = failed
		} else if v != nil {
			err = &rules.PanicError{Value: v, Stack: string(debug.Stack())}
		}
	}()
	return f()
}
