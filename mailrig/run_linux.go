package mailrig

import (
	"os/exec"
	"runtime"
	"syscall"
)

// run starts a server in a process group of its own, and ends the group when the test ends.
func (r *Rig) run(cmd *exec.Cmd) error {
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
		return err
	}
	r.t.Cleanup(func() {
		// There is nothing to save: the folder goes too.
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
	})
	return nil
}
