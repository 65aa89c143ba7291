// Takes a merge request from its branch to its end with go-gitlab, and prints the result of each subject as JSON.
// Its types are strict: a record whose member has another type than GitLab's is an error.
// The environment has the gateway in GATEWAY, and a token of a user in TOKEN. If a subject has an error, that is its
// result. The subjects have the same names and results as those of the other clients.
package main

import (
	"os"
	"strings"

	"github.com/xanzy/go-gitlab"
)

var (
	me      = client(os.Getenv("TOKEN"))
	project int
	head    string
)

func commit(branch, message, path, content string) string {
	action := gitlab.FileCreate
	made, _, err := me.Commits.CreateCommit(project, &gitlab.CreateCommitOptions{
		Branch: gitlab.String(branch), CommitMessage: gitlab.String(message),
		Actions: []*gitlab.CommitActionOptions{{Action: &action, FilePath: gitlab.String(path), Content: gitlab.String(content)}},
	})
	check(err)
	return made.ID
}

func request() *gitlab.MergeRequest {
	found, _, err := me.MergeRequests.GetMergeRequest(project, 1, nil)
	check(err)
	return found
}

func opening() object {
	open := func(title string) (*gitlab.MergeRequest, *gitlab.Response, error) {
		return me.MergeRequests.CreateMergeRequest(project, &gitlab.CreateMergeRequestOptions{
			Title: gitlab.String(title), SourceBranch: gitlab.String("topic"), TargetBranch: gitlab.String("main"),
			Description: gitlab.String("Closes #1"), Labels: &gitlab.Labels{"code"},
		})
	}
	made, _, err := open("Draft: A topic")
	check(err)
	_, answer, twice := open("Again")
	changed, _, err := me.MergeRequests.UpdateMergeRequest(project, 1, &gitlab.UpdateMergeRequestOptions{Title: gitlab.String("A topic")})
	check(err)
	requests, _, err := me.MergeRequests.ListProjectMergeRequests(project, &gitlab.ListProjectMergeRequestsOptions{
		State: gitlab.String("opened"), Labels: &gitlab.Labels{"code"},
	})
	check(err)
	found := []string{}
	for _, one := range requests {
		found = append(found, one.Title)
	}
	commits, _, err := me.MergeRequests.GetMergeRequestCommits(project, 1, nil)
	check(err)
	titles := []string{}
	for _, one := range commits {
		titles = append(titles, one.Title)
	}
	changes, _, err := me.MergeRequests.GetMergeRequestChanges(project, 1, nil)
	check(err)
	paths := []string{}
	for _, one := range changes.Changes {
		paths = append(paths, one.NewPath)
	}
	people, _, err := me.MergeRequests.GetMergeRequestParticipants(project, 1)
	check(err)
	names := []string{}
	for _, one := range people {
		names = append(names, one.Username)
	}
	issues, _, err := me.MergeRequests.GetIssuesClosedOnMerge(project, 1, nil)
	check(err)
	closes := []string{}
	for _, one := range issues {
		closes = append(closes, one.Title)
	}
	return object{
		"made": list{made.IID, made.WorkInProgress, made.Labels, made.Author.Username}, "twice": status(answer, twice), "found": found,
		"changed": list{changed.Title, changed.WorkInProgress}, "commits": titles, "changes": paths, "participants": names, "closes": closes,
	}
}

func reviewing() object {
	refs := request().DiffRefs
	thread, _, err := me.Discussions.CreateMergeRequestDiscussion(project, 1, &gitlab.CreateMergeRequestDiscussionOptions{
		Body: gitlab.String("This line?"),
		Position: &gitlab.NotePosition{
			BaseSHA: refs.BaseSha, StartSHA: refs.StartSha, HeadSHA: refs.HeadSha, PositionType: "text", NewPath: "t.txt", OldPath: "t.txt", NewLine: 1,
		},
	})
	check(err)
	note := thread.Notes[0]
	resolved, _, err := me.Discussions.ResolveMergeRequestDiscussion(project, 1, thread.ID, &gitlab.ResolveMergeRequestDiscussionOptions{Resolved: gitlab.Bool(true)})
	check(err)
	versions, _, err := me.MergeRequests.GetMergeRequestDiffVersions(project, 1, nil)
	check(err)
	return object{"thread": list{note.Type, note.Position.NewLine}, "resolved": resolved.Notes[0].Resolved, "versions": len(versions)}
}

func merging() object {
	_, answer, wrong := me.MergeRequests.AcceptMergeRequest(project, 1, &gitlab.AcceptMergeRequestOptions{SHA: gitlab.String(strings.Repeat("0", 40))})
	result := object{"wrong head": status(answer, wrong)}
	report := func(state gitlab.BuildStateValue) {
		_, _, err := me.Commits.SetCommitStatus(project, head, &gitlab.SetCommitStatusOptions{State: state, Ref: gitlab.String("topic")})
		check(err)
	}
	report(gitlab.Running)
	waits, _, err := me.MergeRequests.AcceptMergeRequest(project, 1, &gitlab.AcceptMergeRequestOptions{
		MergeWhenPipelineSucceeds: gitlab.Bool(true), ShouldRemoveSourceBranch: gitlab.Bool(true),
	})
	check(err)
	result["waits"] = list{waits.MergeWhenPipelineSucceeds, waits.State}
	report(gitlab.Success)
	waitFor(func() bool { return request().State == "merged" })
	after := request()
	result["merged"] = list{after.State, after.MergedBy.Username}
	_, answer, twice := me.MergeRequests.AcceptMergeRequest(project, 1, nil)
	result["twice"] = status(answer, twice)
	state := func() string {
		found, _, err := me.Issues.GetIssue(project, 1)
		check(err)
		return found.State
	}
	waitFor(func() bool { return state() == "closed" })
	result["issue"] = state()
	branch := func() interface{} {
		_, answer, err := me.Branches.GetBranch(project, "topic")
		return status(answer, err)
	}
	waitFor(func() bool { return branch() != nil })
	result["branch"] = branch()
	return result
}

func main() {
	made, _, err := me.Projects.CreateProject(&gitlab.CreateProjectOptions{Name: gitlab.String("Go reviews")})
	check(err)
	project = made.ID
	commit("main", "Begin", "a.txt", "a\n")
	_, _, err = me.Branches.CreateBranch(project, &gitlab.CreateBranchOptions{Branch: gitlab.String("topic"), Ref: gitlab.String("main")})
	check(err)
	head = commit("topic", "Topic", "t.txt", "t\n")
	_, _, err = me.Issues.CreateIssue(project, &gitlab.CreateIssueOptions{Title: gitlab.String("To do")})
	check(err)
	printResults([]subject{{"opening", opening}, {"reviewing", reviewing}, {"merging", merging}})
}
