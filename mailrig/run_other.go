//go:build !linux

package mailrig

import (
	"errors"
	"os/exec"
)

func (r *Rig) run(*exec.Cmd) error { return errors.New("the rig knows Linux only") }
