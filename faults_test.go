package arroba

import (
	"regexp"
	"strconv"
	"testing"
)

// lastFault is the number of the last of the faults of forums, F1 to F50, that a test must show.
const lastFault = 50

var faultName = regexp.MustCompile(`func TestF(\d+)[A-Z_]|"F(\d+)\b|\bF(\d+):`)

// TestEveryFaultOfForumsIsTested finds faults that no test is named after: a test function, or a case of a table.
func TestEveryFaultOfForumsIsTested(t *testing.T) {
	found := map[int]bool{}
	eachFile(t, func(file, folder, src string, imports []string) {
		if !regexp.MustCompile(`_test\.go$`).MatchString(file) {
			return
		}
		for _, m := range faultName.FindAllStringSubmatch(src, -1) {
			for _, digits := range m[1:] {
				if n, err := strconv.Atoi(digits); err == nil {
					found[n] = true
				}
			}
		}
	})
	for n := 1; n <= lastFault; n++ {
		if !found[n] {
			t.Errorf("no test is named after F%d", n)
		}
	}
}
