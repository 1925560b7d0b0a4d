package main

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// steady returns a clock that nobody sets. Where the system tells how long it has been up, that is it: it counts the
// time that the machine slept, as the clock on the wall does.
func steady() func() time.Duration {
	if _, err := uptime(); err == nil {
		return func() time.Duration {
			d, _ := uptime()
			return d
		}
	}
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}

// uptime is how long the system has been up, sleep included.
func uptime() (time.Duration, error) {
	b, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return 0, err
	}
	text, _, _ := strings.Cut(string(b), " ")
	seconds, err := strconv.ParseFloat(text, 64)
	return time.Duration(seconds * float64(time.Second)), err
}
