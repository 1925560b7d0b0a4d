// Command arroba runs games by mail: it reads mailboxes, rules on the orders it finds, answers, and announces.
//
// main only calls run, which gets everything it needs of the outside as arguments, so that tests run whole commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	_ "time/tzdata" // the zones of games, on machines that have none

	"github.com/spf13/cobra"
)

func main() {
	// Reading mail makes much short-lived garbage; collecting it less often is worth a third of the speed. The limit
	// leaves room for what Go does not count (SQLite, and one letter as big as they may be), so that all stays below
	// 100 MB.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(48 << 20)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
}

// world is what a command may know of the outside.
type world struct {
	getenv func(string) string
}

// exitError ends the program with a code of its own; Err may be nil when everything was said already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// run runs one command and returns the exit code: 0 done, 1 failed, 2 called wrongly or given what cannot be read.
func run(ctx context.Context, args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := rootCommand(world{getenv})
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	code := 1
	var ee *exitError
	if errors.As(err, &ee) {
		code, err = ee.code, ee.err
	}
	if err != nil {
		fmt.Fprintln(stderr, "arroba:", err)
	}
	return code
}

func rootCommand(w world) *cobra.Command {
	root := &cobra.Command{
		Use:           "arroba",
		Short:         "Games by mail: reads letters, rules on orders, answers, announces",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		what, _, _ := strings.Cut(err.Error(), ": strconv.") // how Go reads numbers is nobody's concern
		return &exitError{2, fmt.Errorf("%s; see '%s --help'", what, cmd.CommandPath())}
	})
	root.AddCommand(
		worldCommand(),
		demoCommand(),
		initCommand(),
		checkCommand(w),
		serveCommand(w),
		gameCommand(w),
		replayCommand(w),
		verifyDiceCommand(w),
		inboxCommand(w),
		receiveCommand(w),
		loginCommand(),
		parseCommand(),
		scrapeCommand(),
		simulateCommand(),
		versionCommand(),
	)
	explainArgs(root)
	return root
}

// explainArgs makes a command that is called with too few or too many words, or with one it does not know, say how it
// is called.
func explainArgs(c *cobra.Command) {
	if !c.Runnable() {
		c.Args, c.RunE = cobra.NoArgs, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	if check := c.Args; check != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			var ee *exitError
			switch {
			case err == nil || errors.As(err, &ee):
				return err
			case cmd.HasSubCommands():
				return &exitError{2, fmt.Errorf("%w; see '%s --help'", err, cmd.CommandPath())}
			}
			return &exitError{2, fmt.Errorf("call it as '%s'", cmd.UseLine())}
		}
	}
	for _, sub := range c.Commands() {
		explainArgs(sub)
	}
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and how it was built",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				return errors.New("this program was built without its version; build it with 'go build ./cmd/arroba'")
			}
			fmt.Fprintf(cmd.OutOrStdout(), "arroba %s, %s\n", info.Main.Version, info.GoVersion)
			return nil
		},
	}
}
