.PHONY: build test check demo bench

build:
	go build -o arroba ./cmd/arroba

test:
	go test ./...

check:
	.ci/run

demo:
	go run ./cmd/arroba demo

bench:
	go test -run '^$$' -bench . ./...
