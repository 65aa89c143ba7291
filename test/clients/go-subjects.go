// What the scripts for go-gitlab share: a subject is a function whose result is printed as JSON, or its error.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/xanzy/go-gitlab"
)

type object map[string]interface{}
type list []interface{}

// subject is a part of a script. Its name is that of its result.
type subject struct {
	name string
	work func() object
}

func client(token string) *gitlab.Client {
	made, err := gitlab.NewClient(token, gitlab.WithBaseURL(os.Getenv("GATEWAY")))
	check(err)
	return made
}

// check stops the subject.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

// status is the answer's, if the client takes it for an error.
func status(answer *gitlab.Response, err error) interface{} {
	if err == nil {
		return nil
	}
	return answer.StatusCode
}

// waitFor asks until something is so, for at most half a minute.
func waitFor(isSo func() bool) {
	for turn := 0; turn < 300 && !isSo(); turn++ {
		time.Sleep(100 * time.Millisecond)
	}
}

// result is that of a subject, or its error.
func result(work func() object) (found interface{}) {
	defer func() {
		if err := recover(); err != nil {
			found = fmt.Sprint(err)
		}
	}()
	return work()
}

// printResults works through the subjects: each goes on where the one before it ended.
func printResults(subjects []subject) {
	results := object{}
	for _, one := range subjects {
		results[one.name] = result(one.work)
	}
	printed, err := json.Marshal(results)
	check(err)
	fmt.Println(string(printed))
}
