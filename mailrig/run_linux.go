package mailrig

import (
	"os/exec"
	"runtime"
	"syscall"
)

// run starts a server in a process group of its own, and returns what kills the group.
func run(cmd *exec.Cmd) (kill func(), err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	started, ended := make(chan error), make(chan struct{})
	go func() {
		// The kernel sends the signal when the thread that started the server ends, so that it must not end before.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			cmd.Wait()
			close(ended)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
	}, nil
}
