//go:build !linux

package mailrig

import (
	"errors"
	"os/exec"
)

func run(*exec.Cmd) (kill func(), err error) { return nil, errors.New("the rig knows Linux only") }
