// Plans work with go-gitlab in a gateway, and prints the result of each subject as JSON.
// Its types are strict: a record whose member has another type than GitLab's is an error.
// The environment has the gateway in GATEWAY, and a token of a user in TOKEN. If a subject has an error, that is its
// result. The subjects have the same names and results as those of the other clients.
package main

import (
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/xanzy/go-gitlab"
)

var (
	me      = client(os.Getenv("TOKEN"))
	myID    int
	group   *gitlab.Group
	project *gitlab.Project
	other   *gitlab.Project
)

func day(month time.Month, day int) *gitlab.ISOTime {
	date := gitlab.ISOTime(time.Date(2999, month, day, 0, 0, 0, 0, time.UTC))
	return &date
}

func titles(issues []*gitlab.Issue) []string {
	found := []string{}
	for _, one := range issues {
		found = append(found, one.Title)
	}
	return found
}

func awardNames(awards []*gitlab.AwardEmoji) []string {
	found := []string{}
	for _, one := range awards {
		found = append(found, one.Name)
	}
	return found
}

func issue(iid int) *gitlab.Issue {
	found, _, err := me.Issues.GetIssue(project.ID, iid)
	check(err)
	return found
}

func labels() object {
	_, _, err := me.Labels.CreateLabel(project.ID, &gitlab.CreateLabelOptions{Name: gitlab.String("to do or not"), Color: gitlab.String("green"), Priority: gitlab.Int(3)})
	check(err)
	label, _, err := me.Labels.UpdateLabel(project.ID, &gitlab.UpdateLabelOptions{Name: gitlab.String("to do or not"), NewName: gitlab.String("to do")})
	check(err)
	_, _, err = me.Labels.CreateLabel(project.ID, &gitlab.CreateLabelOptions{Name: gitlab.String("bug"), Color: gitlab.String("#abcdef"), Description: gitlab.String("Broken")})
	check(err)
	_, _, err = me.GroupLabels.CreateGroupLabel(group.ID, &gitlab.CreateGroupLabelOptions{Name: gitlab.String("wide"), Color: gitlab.String("#aa2211")})
	check(err)
	all, _, err := me.Labels.ListLabels(project.ID, &gitlab.ListLabelsOptions{WithCounts: gitlab.Bool(true)})
	check(err)
	listed := list{}
	for _, one := range all {
		listed = append(listed, list{one.Name, one.IsProjectLabel})
	}
	subscribed, _, err := me.Labels.SubscribeToLabel(project.ID, "to do")
	check(err)
	wide, _, err := me.GroupLabels.SubscribeToGroupLabel(group.ID, "wide")
	check(err)
	again, _, _ := me.Labels.SubscribeToLabel(project.ID, "to do")
	_, err = me.Labels.UnsubscribeFromLabel(project.ID, "to do")
	check(err)
	_, err = me.GroupLabels.UnsubscribeFromGroupLabel(group.ID, "wide")
	check(err)
	after, _, err := me.GroupLabels.GetGroupLabel(group.ID, "wide")
	check(err)
	_, err = me.Labels.PromoteLabel(project.ID, "to do")
	check(err)
	promoted, _, err := me.Labels.GetLabel(project.ID, "to do")
	check(err)
	_, err = me.GroupLabels.DeleteGroupLabel(group.ID, &gitlab.DeleteGroupLabelOptions{Name: gitlab.String("wide")})
	check(err)
	_, answer, err := me.GroupLabels.GetGroupLabel(group.ID, "wide")
	return object{
		"renamed": list{label.Name, label.Color, label.Priority}, "all": listed,
		"subscribed": list{subscribed.Subscribed, wide.Subscribed, again == nil}, "unsubscribed": after.Subscribed,
		"promoted": promoted.IsProjectLabel, "gone": status(answer, err),
	}
}

func milestones() object {
	spring, _, err := me.Milestones.CreateMilestone(project.ID, &gitlab.CreateMilestoneOptions{Title: gitlab.String("Spring"), StartDate: day(3, 1), DueDate: day(4, 30)})
	check(err)
	summer, _, err := me.Milestones.CreateMilestone(project.ID, &gitlab.CreateMilestoneOptions{Title: gitlab.String("Summer")})
	check(err)
	found, _, err := me.Milestones.ListMilestones(project.ID, &gitlab.ListMilestonesOptions{IIDs: &[]int{spring.IID}})
	check(err)
	closed, _, err := me.Milestones.UpdateMilestone(project.ID, spring.ID, &gitlab.UpdateMilestoneOptions{StateEvent: gitlab.String("close")})
	check(err)
	active, _, err := me.Milestones.ListMilestones(project.ID, &gitlab.ListMilestonesOptions{State: gitlab.String("active")})
	check(err)
	_, _, err = me.Milestones.UpdateMilestone(project.ID, spring.ID, &gitlab.UpdateMilestoneOptions{StateEvent: gitlab.String("activate")})
	check(err)
	_, err = me.Milestones.DeleteMilestone(project.ID, summer.ID)
	check(err)
	_, _, err = me.GroupMilestones.CreateGroupMilestone(group.ID, &gitlab.CreateGroupMilestoneOptions{Title: gitlab.String("Autumn")})
	check(err)
	wide, _, err := me.GroupMilestones.ListGroupMilestones(group.ID, &gitlab.ListGroupMilestonesOptions{})
	check(err)
	_, answer, err := me.Milestones.GetMilestone(project.ID, summer.ID)
	return object{
		"found":  list{list{found[0].Title, found[0].DueDate}},
		"closed": list{closed.State, []string{active[0].Title}},
		"group":  wide[0].Title, "gone": status(answer, err),
	}
}

func issues() object {
	found, _, err := me.Milestones.ListMilestones(project.ID, &gitlab.ListMilestonesOptions{Title: gitlab.String("Spring")})
	check(err)
	milestone := found[0].ID
	made, _, err := me.Issues.CreateIssue(project.ID, &gitlab.CreateIssueOptions{
		Title: gitlab.String("Pump leaks"), Description: gitlab.String("- [x] find\n- [ ] seal"), Labels: &gitlab.Labels{"bug", "to do"},
		DueDate: day(4, 1), MilestoneID: &milestone, AssigneeIDs: &[]int{myID},
	})
	check(err)
	_, _, err = me.Issues.CreateIssue(project.ID, &gitlab.CreateIssueOptions{Title: gitlab.String("Only a bug"), Labels: &gitlab.Labels{"bug"}, Confidential: gitlab.Bool(true)})
	check(err)
	by := func(options gitlab.ListProjectIssuesOptions) []string {
		found, _, err := me.Issues.ListProjectIssues(project.ID, &options)
		check(err)
		return titles(found)
	}
	detailed, _, err := me.Issues.ListProjectIssues(project.ID, &gitlab.ListProjectIssuesOptions{WithLabelDetails: gitlab.Bool(true)})
	check(err)
	everywhere, _, err := me.Issues.ListIssues(&gitlab.ListIssuesOptions{Scope: gitlab.String("assigned_to_me")})
	check(err)
	ofGroup, _, err := me.Issues.ListGroupIssues(group.ID, &gitlab.ListGroupIssuesOptions{Labels: &gitlab.Labels{"to do"}})
	check(err)
	ofMilestone, _, err := me.Milestones.GetMilestoneIssues(project.ID, milestone, &gitlab.GetMilestoneIssuesOptions{})
	check(err)
	counts, _, err := me.IssuesStatistics.GetProjectIssuesStatistics(project.ID, &gitlab.GetProjectIssuesStatisticsOptions{})
	check(err)
	result := object{
		"made":          list{made.IID, made.Labels, made.Milestone.Title, made.DueDate, made.Assignee.Username},
		"tasks":         made.TaskCompletionStatus,
		"by two labels": by(gitlab.ListProjectIssuesOptions{Labels: &gitlab.Labels{"bug", "to do"}}),
		"by one label":  by(gitlab.ListProjectIssuesOptions{Labels: &gitlab.Labels{"bug"}, OrderBy: gitlab.String("title"), Sort: gitlab.String("asc")}),
		"without one":   by(gitlab.ListProjectIssuesOptions{NotLabels: &gitlab.Labels{"to do"}}),
		"without any":   by(gitlab.ListProjectIssuesOptions{Labels: &gitlab.Labels{"None"}}),
		"by iid":        by(gitlab.ListProjectIssuesOptions{IIDs: &[]int{2}}),
		"by milestone":  by(gitlab.ListProjectIssuesOptions{Milestone: gitlab.String("Spring")}),
		"by text":       by(gitlab.ListProjectIssuesOptions{Search: gitlab.String("leak")}),
		"details":       detailed[0].LabelDetails[0].Name, "everywhere": titles(everywhere)[0] == "Pump leaks",
		"of the group": titles(ofGroup), "of the milestone": titles(ofMilestone), "counts": counts.Statistics.Counts,
	}
	changed, _, err := me.Issues.UpdateIssue(project.ID, 1, &gitlab.UpdateIssueOptions{Title: gitlab.String("The pump leaks"), Labels: &gitlab.Labels{"bug"}})
	check(err)
	result["changed"] = list{changed.Title, changed.Labels, issue(1).Labels}
	return result
}

func discussions() object {
	note, _, err := me.Notes.CreateIssueNote(project.ID, 1, &gitlab.CreateIssueNoteOptions{Body: gitlab.String("Where?")})
	check(err)
	edited, _, err := me.Notes.UpdateIssueNote(project.ID, 1, note.ID, &gitlab.UpdateIssueNoteOptions{Body: gitlab.String("Where is it?")})
	check(err)
	thread, _, err := me.Discussions.CreateIssueDiscussion(project.ID, 1, &gitlab.CreateIssueDiscussionOptions{Body: gitlab.String("At the valve.")})
	check(err)
	reply, _, err := me.Discussions.AddIssueDiscussionNote(project.ID, 1, thread.ID, &gitlab.AddIssueDiscussionNoteOptions{Body: gitlab.String("Which?")})
	check(err)
	changed, _, err := me.Discussions.UpdateIssueDiscussionNote(project.ID, 1, thread.ID, reply.ID, &gitlab.UpdateIssueDiscussionNoteOptions{Body: gitlab.String("Which one?")})
	check(err)
	whole, _, err := me.Discussions.GetIssueDiscussion(project.ID, 1, thread.ID)
	check(err)
	all, _, err := me.Discussions.ListIssueDiscussions(project.ID, 1, &gitlab.ListIssueDiscussionsOptions{})
	check(err)
	_, err = me.Discussions.DeleteIssueDiscussionNote(project.ID, 1, thread.ID, reply.ID)
	check(err)
	left, _, err := me.Notes.ListIssueNotes(project.ID, 1, &gitlab.ListIssueNotesOptions{Sort: gitlab.String("asc")})
	check(err)
	bodies := []string{}
	for _, one := range left {
		if !one.System {
			bodies = append(bodies, one.Body)
		}
	}
	award, _, err := me.AwardEmoji.CreateIssuesAwardEmojiOnNote(project.ID, 1, note.ID, &gitlab.CreateAwardEmojiOptions{Name: "tractor"})
	check(err)
	awards, _, err := me.AwardEmoji.ListIssuesAwardEmojiOnNote(project.ID, 1, note.ID, nil)
	check(err)
	_, err = me.Notes.DeleteIssueNote(project.ID, 1, note.ID)
	check(err)
	_, answer, err := me.Notes.GetIssueNote(project.ID, 1, note.ID)
	return object{
		"edited": list{edited.Body, changed.Body}, "thread": list{whole.IndividualNote, list{whole.Notes[0].Type, whole.Notes[1].Type}},
		"all": len(all) > 1, "left": bodies, "award of a note": list{award.Name, award.AwardableType, awardNames(awards)}, "gone": status(answer, err),
	}
}

func timeTracking() object {
	estimated, _, err := me.Issues.SetTimeEstimate(project.ID, 1, &gitlab.SetTimeEstimateOptions{Duration: gitlab.String("3h 30m")})
	check(err)
	spent, _, err := me.Issues.AddSpentTime(project.ID, 1, &gitlab.AddSpentTimeOptions{Duration: gitlab.String("1h")})
	check(err)
	both, _, err := me.Issues.GetTimeSpent(project.ID, 1)
	check(err)
	noEstimate, _, err := me.Issues.ResetTimeEstimate(project.ID, 1)
	check(err)
	nothing, _, err := me.Issues.ResetSpentTime(project.ID, 1)
	check(err)
	_, answer, err := me.Issues.SetTimeEstimate(project.ID, 1, &gitlab.SetTimeEstimateOptions{Duration: gitlab.String("soon")})
	return object{
		"estimated": estimated.HumanTimeEstimate, "spent": spent.HumanTotalTimeSpent, "both": both,
		"nothing left": list{noEstimate.TimeEstimate, nothing.TotalTimeSpent}, "nonsense": status(answer, err),
	}
}

func awards() object {
	award, _, err := me.AwardEmoji.CreateIssueAwardEmoji(project.ID, 1, &gitlab.CreateAwardEmojiOptions{Name: "+1"})
	check(err)
	upvotes := issue(1).Upvotes
	_, answer, err := me.AwardEmoji.CreateIssueAwardEmoji(project.ID, 1, &gitlab.CreateAwardEmojiOptions{Name: "thumbsup"})
	twice := status(answer, err)
	_, answer, err = me.AwardEmoji.CreateIssueAwardEmoji(project.ID, 1, &gitlab.CreateAwardEmojiOptions{Name: "no such"})
	none := status(answer, err)
	listed, _, err := me.AwardEmoji.ListIssueAwardEmoji(project.ID, 1, nil)
	check(err)
	_, err = me.AwardEmoji.DeleteIssueAwardEmoji(project.ID, 1, award.ID)
	check(err)
	after, _, err := me.AwardEmoji.ListIssueAwardEmoji(project.ID, 1, nil)
	check(err)
	return object{
		"given": list{award.Name, upvotes}, "twice": twice, "none": none, "listed": awardNames(listed), "taken back": awardNames(after),
	}
}

func subscriptions() object {
	not, _, err := me.Issues.UnsubscribeFromIssue(project.ID, 1)
	check(err)
	subscribed, _, err := me.Issues.SubscribeToIssue(project.ID, 1)
	check(err)
	// The client has an empty answer with status 304 for a success, and has no record.
	_, answer, _ := me.Issues.SubscribeToIssue(project.ID, 1)
	people, _, err := me.Issues.GetParticipants(project.ID, 1)
	check(err)
	return object{
		"unsubscribed": not.Subscribed, "subscribed": subscribed.Subscribed, "nothing to do": answer.StatusCode, "participants": []string{people[0].Username},
	}
}

func links() object {
	options := gitlab.CreateIssueLinkOptions{TargetProjectID: gitlab.String(strconv.Itoa(project.ID)), TargetIssueIID: gitlab.String("2")}
	made, _, err := me.IssueLinks.CreateIssueLink(project.ID, 1, &options)
	check(err)
	_, answer, err := me.IssueLinks.CreateIssueLink(project.ID, 1, &options)
	twice := status(answer, err)
	listed, _, err := me.IssueLinks.ListIssueRelations(project.ID, 1)
	check(err)
	one, _, err := me.IssueLinks.GetIssueLink(project.ID, 1, listed[0].IssueLinkID)
	check(err)
	_, _, err = me.IssueLinks.DeleteIssueLink(project.ID, 1, listed[0].IssueLinkID)
	check(err)
	after, _, err := me.IssueLinks.ListIssueRelations(project.ID, 1)
	check(err)
	return object{
		"linked": list{made.SourceIssue.IID, made.TargetIssue.IID}, "twice": twice, "listed": list{list{listed[0].Title, one.LinkType}}, "gone": titles(after),
	}
}

func todos() object {
	all := func() []*gitlab.Todo {
		found, _, err := me.Todos.ListTodos(&gitlab.ListTodosOptions{})
		check(err)
		return found
	}
	_, err := me.Todos.MarkAllTodosAsDone()
	check(err)
	_, _, err = me.Issues.CreateTodo(project.ID, 2)
	check(err)
	_, answer, _ := me.Issues.CreateTodo(project.ID, 2)
	made := all()[0]
	_, err = me.Todos.MarkTodoAsDone(made.ID)
	check(err)
	left := len(all())
	_, _, err = me.Issues.CreateIssue(project.ID, &gitlab.CreateIssueOptions{Title: gitlab.String("Mine"), AssigneeIDs: &[]int{myID}})
	check(err)
	assigned := all()
	_, err = me.Todos.MarkAllTodosAsDone()
	check(err)
	return object{
		"made": list{list{made.ActionName, made.TargetType, made.Target.Labels, made.State}}, "twice": answer.StatusCode, "one done": left,
		"assigned": list{assigned[0].ActionName}, "all done": len(all()),
	}
}

func quickActions() object {
	_, answer, err := me.Notes.CreateIssueNote(project.ID, 1, &gitlab.CreateIssueNoteOptions{Body: gitlab.String("/close\n/estimate 2h")})
	check(err)
	closed := issue(1)
	text, _, err := me.Notes.CreateIssueNote(project.ID, 1, &gitlab.CreateIssueNoteOptions{Body: gitlab.String("Again.\n/reopen")})
	check(err)
	return object{
		"status": answer.StatusCode, "state": list{closed.State, closed.TimeStats.HumanTimeEstimate}, "with a text": text.Body, "reopened": issue(1).State,
	}
}

func history() object {
	labelEvents, _, err := me.ResourceLabelEvents.ListIssueLabelEvents(project.ID, 1, nil)
	check(err)
	labels := []string{}
	for _, one := range labelEvents {
		labels = append(labels, one.Action+" "+one.Label.Name)
	}
	sort.Strings(labels)
	stateEvents, _, err := me.ResourceStateEvents.ListIssueStateEvents(project.ID, 1, nil)
	check(err)
	states := []interface{}{}
	for _, one := range stateEvents {
		states = append(states, one.State)
	}
	milestones, _, err := me.ResourceMilestoneEvents.ListIssueMilestoneEvents(project.ID, 1, nil)
	check(err)
	one, _, err := me.ResourceMilestoneEvents.GetIssueMilestoneEvent(project.ID, 1, milestones[0].ID)
	check(err)
	action, kind := gitlab.ClosedEventType, gitlab.IssueEventTargetType
	events, _, err := me.Events.ListProjectVisibleEvents(project.ID, &gitlab.ListContributionEventsOptions{TargetType: &kind})
	check(err)
	activity := map[string]bool{}
	for _, one := range events {
		activity[one.ActionName+" "+one.TargetType] = true
	}
	kinds := []string{}
	for kind := range activity {
		kinds = append(kinds, kind)
	}
	sort.Strings(kinds)
	closings, _, err := me.Events.ListCurrentUserContributionEvents(&gitlab.ListContributionEventsOptions{Action: &action, TargetType: &kind})
	check(err)
	return object{
		"labels": labels, "states": states, "milestones": list{list{one.Action, one.Milestone.Title}}, "activity": kinds, "closings": list{closings[0].TargetTitle},
	}
}

func moves() object {
	old, _, err := me.Issues.CreateIssue(project.ID, &gitlab.CreateIssueOptions{Title: gitlab.String("Apples"), Labels: &gitlab.Labels{"bug"}})
	check(err)
	moved, _, err := me.Issues.MoveIssue(project.ID, old.IID, &gitlab.MoveIssueOptions{ToProjectID: gitlab.Int(other.ID)})
	check(err)
	after := issue(old.IID)
	_, err = me.Issues.DeleteIssue(other.ID, moved.IID)
	check(err)
	_, answer, err := me.Issues.GetIssue(other.ID, moved.IID)
	return object{
		"moved": list{moved.ProjectID == other.ID, moved.Title, after.State}, "left behind": after.MovedToID == moved.ID, "gone": status(answer, err),
	}
}

func snippets() object {
	private, internal := gitlab.PrivateVisibility, gitlab.InternalVisibility
	mine, _, err := me.Snippets.CreateSnippet(&gitlab.CreateSnippetOptions{
		Title: gitlab.String("Adder"), FileName: gitlab.String("sum.py"), Content: gitlab.String("1 + 1\n"), Visibility: &private,
	})
	check(err)
	changed, _, err := me.Snippets.UpdateSnippet(mine.ID, &gitlab.UpdateSnippetOptions{Title: gitlab.String("Sum"), FileName: gitlab.String("sum.py"), Content: gitlab.String("2 + 2\n")})
	check(err)
	content, _, err := me.Snippets.SnippetContent(mine.ID)
	check(err)
	all, _, err := me.Snippets.ListSnippets(&gitlab.ListSnippetsOptions{})
	check(err)
	theirs, _, err := me.ProjectSnippets.CreateSnippet(project.ID, &gitlab.CreateProjectSnippetOptions{
		Title: gitlab.String("Adder"), FileName: gitlab.String("sum.py"), Content: gitlab.String("1 + 1\n"), Visibility: &private,
	})
	check(err)
	theirsChanged, _, err := me.ProjectSnippets.UpdateSnippet(project.ID, theirs.ID, &gitlab.UpdateProjectSnippetOptions{
		Title: gitlab.String("Sum"), FileName: gitlab.String("sum.py"), Content: gitlab.String("2 + 2\n"),
	})
	check(err)
	theirContent, _, err := me.ProjectSnippets.SnippetContent(project.ID, theirs.ID)
	check(err)
	ofProject, _, err := me.ProjectSnippets.ListSnippets(project.ID, &gitlab.ListProjectSnippetsOptions{})
	check(err)
	note, _, err := me.Notes.CreateSnippetNote(project.ID, theirs.ID, &gitlab.CreateSnippetNoteOptions{Body: gitlab.String("Right.")})
	check(err)
	files := []*gitlab.SnippetFile{
		{FilePath: gitlab.String("a.txt"), Content: gitlab.String("A")}, {FilePath: gitlab.String("docs/b.txt"), Content: gitlab.String("B")},
	}
	several, _, err := me.Snippets.CreateSnippet(&gitlab.CreateSnippetOptions{Title: gitlab.String("Two"), Visibility: &internal, Files: &files})
	check(err)
	_, err = me.ProjectSnippets.DeleteSnippet(project.ID, theirs.ID)
	check(err)
	_, answer, err := me.ProjectSnippets.GetSnippet(project.ID, theirs.ID)
	return object{
		"personal":      list{changed.Title, changed.FileName, string(content), all[0].ID == mine.ID},
		"of a project":  list{theirsChanged.Title, theirsChanged.FileName, string(theirContent), ofProject[0].ID == theirs.ID},
		"note":          list{note.Body, note.NoteableType},
		"several files": list{several.Files[0].Path, several.Files[1].Path}, "gone": status(answer, err),
	}
}

func markdown() object {
	rendered, _, err := me.Markdown.Render(&gitlab.RenderOptions{
		Text: gitlab.String("**#1**"), GitlabFlavouredMarkdown: gitlab.Bool(true), Project: gitlab.String(project.PathWithNamespace),
	})
	check(err)
	return object{"bold": strings.Contains(rendered.HTML, "<strong>"), "link": strings.Contains(rendered.HTML, "/"+project.PathWithNamespace+"/-/issues/1")}
}

func main() {
	own, _, err := me.Users.CurrentUser()
	check(err)
	myID = own.ID
	visibility := gitlab.InternalVisibility
	group, _, err = me.Groups.CreateGroup(&gitlab.CreateGroupOptions{Name: gitlab.String("Go plans"), Path: gitlab.String("go-plans"), Visibility: &visibility})
	check(err)
	project, _, err = me.Projects.CreateProject(&gitlab.CreateProjectOptions{Name: gitlab.String("Garden"), NamespaceID: gitlab.Int(group.ID)})
	check(err)
	other, _, err = me.Projects.CreateProject(&gitlab.CreateProjectOptions{Name: gitlab.String("Orchard"), NamespaceID: gitlab.Int(group.ID)})
	check(err)
	printResults([]subject{
		{"labels", labels}, {"milestones", milestones}, {"issues", issues}, {"discussions", discussions}, {"time", timeTracking}, {"awards", awards},
		{"subscriptions", subscriptions}, {"links", links}, {"todos", todos}, {"quick actions", quickActions}, {"history", history}, {"moves", moves},
		{"snippets", snippets}, {"markdown", markdown},
	})
}
