package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"arroba/ingest/imapsrc"

	"github.com/spf13/cobra"
)

func loginCommand() *cobra.Command {
	var clientID, secretFile, tokenFile string
	var scopes []string
	cmd := &cobra.Command{
		Use:   "login gmail|outlook|URL",
		Short: "Get permission to use a mailbox by OAuth2",
		Long: `Get permission to use a mailbox whose provider takes no passwords from programs.

It prints an address and a code. Open the address in any browser, on any machine, enter the code and allow
the access; login waits and then keeps the permission in the token file, which only you can read. Name that
file as token_file, beside user, in the [[source]] and [[sink]] of arroba.toml.

The provider must know this program: register an app with it that may log in by device, and give its client
id. URL is the address of any other provider that describes itself at /.well-known/openid-configuration.

Google lets few apps ask for mail in this way. Where it refuses, create an app password in the account's
settings and use that as the mailbox's password.`,
		Example: `  arroba login outlook --client-id 1234 --token-file secrets/token
  arroba login https://login.example.org --client-id arroba --client-secret-file secrets/client \
      --scope mail --scope offline_access --token-file secrets/token`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var secret []byte
			if secretFile != "" {
				var err error
				if secret, err = os.ReadFile(secretFile); err != nil {
					return fmt.Errorf("read the client's secret: %w", err)
				}
			}
			ctx, out := cmd.Context(), cmd.OutOrStdout()
			provider, err := imapsrc.FindProvider(ctx, args[0], scopes)
			if err != nil {
				return err
			}
			grant, err := imapsrc.Login(ctx, provider, clientID, strings.TrimSpace(string(secret)),
				func(at, code string, expires time.Time) {
					fmt.Fprintf(out, "Open %s in a browser and enter the code %s\n", at, code)
					if !expires.IsZero() {
						fmt.Fprintf(out, "The code is good until %s. Waiting...\n", expires.Local().Format("15:04"))
					}
				})
			if err != nil {
				return fmt.Errorf("log in at %s: %w", args[0], err)
			}
			if err := grant.Save(tokenFile); err != nil {
				return err
			}
			fmt.Fprintf(out, "Access is granted. Name the file in arroba.toml: token_file = %q\n", tokenFile)
			return nil
		},
	}
	cmd.Flags().StringVar(&clientID, "client-id", "", "the `ID` under which the provider knows this program")
	cmd.Flags().StringVar(&secretFile, "client-secret-file", "", "the `FILE` with the client's secret, where the provider gave one")
	cmd.Flags().StringVar(&tokenFile, "token-file", "", "the `FILE` to keep the permission in")
	cmd.Flags().StringArrayVar(&scopes, "scope", nil, "a `SCOPE` to ask for, instead of the provider's usual; may be repeated")
	cmd.MarkFlagRequired("client-id")
	cmd.MarkFlagRequired("token-file")
	return cmd
}
