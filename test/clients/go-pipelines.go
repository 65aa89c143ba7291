// Runs pipelines with go-gitlab in a gateway, and prints the result of each subject as JSON.
// Its types are strict: a record whose member has another type than GitLab's is an error.
// The environment has the gateway in GATEWAY, and a token of a user in TOKEN. If a subject has an error, that is its
// result. The subjects have the same names and results as those of the other clients.
package main

import (
	"io"
	"os"
	"sort"
	"strings"

	"github.com/xanzy/go-gitlab"
)

const configuration = `
stages: [build, deploy]
compile: { stage: build, script: make }
ship: { stage: deploy, script: make ship, when: manual, environment: production }
`

var (
	me      = client(os.Getenv("TOKEN"))
	project int
	head    string
)

func run() *gitlab.Pipeline {
	made, _, err := me.Pipelines.CreatePipeline(project, &gitlab.CreatePipelineOptions{Ref: gitlab.String("main")})
	check(err)
	return made
}

func pipelines() object {
	given := []*gitlab.PipelineVariableOptions{{Key: gitlab.String("NAME"), Value: gitlab.String("x")}}
	made, _, err := me.Pipelines.CreatePipeline(project, &gitlab.CreatePipelineOptions{Ref: gitlab.String("main"), Variables: &given})
	check(err)
	variables, _, err := me.Pipelines.GetPipelineVariables(project, made.ID)
	check(err)
	listed, _, err := me.Pipelines.ListProjectPipelines(project, &gitlab.ListProjectPipelinesOptions{Source: gitlab.String("api")})
	check(err)
	jobs, _, err := me.Jobs.ListPipelineJobs(project, made.ID, nil)
	check(err)
	names := list{}
	for _, one := range jobs {
		names = append(names, one.Name)
	}
	bridges, _, err := me.Jobs.ListPipelineBridges(project, made.ID, nil)
	check(err)
	report, _, err := me.Pipelines.GetPipelineTestReport(project, made.ID)
	check(err)
	canceled, _, err := me.Pipelines.CancelPipelineBuild(project, made.ID)
	check(err)
	retried, _, err := me.Pipelines.RetryPipelineBuild(project, made.ID)
	check(err)
	_, wrong, wrongErr := me.Pipelines.CreatePipeline(project, &gitlab.CreatePipelineOptions{Ref: gitlab.String("gone")})
	_, gone, goneErr := me.Pipelines.GetPipeline(project, 2147483647)
	return object{
		"made":           list{made.Status, made.Source, made.Ref},
		"variables":      list{list{variables[0].Key, variables[0].Value}},
		"listed":         list{len(listed) == 1 && listed[0].ID == made.ID},
		"jobs":           names,
		"bridges":        bridges,
		"report":         list{report.TotalCount, report.TestSuites},
		"canceled":       canceled.Status,
		"retried":        retried.Status,
		"no such branch": status(wrong, wrongErr),
		"gone":           status(gone, goneErr),
	}
}

func jobs() object {
	ids := map[string]int{}
	made, _, err := me.Jobs.ListPipelineJobs(project, run().ID, nil)
	check(err)
	for _, one := range made {
		ids[one.Name] = one.ID
	}
	job, _, err := me.Jobs.GetJob(project, ids["compile"])
	check(err)
	canceled, _, err := me.Jobs.CancelJob(project, job.ID)
	check(err)
	retried, _, err := me.Jobs.RetryJob(project, job.ID)
	check(err)
	scope := []gitlab.BuildStateValue{gitlab.Canceled}
	found, _, err := me.Jobs.ListProjectJobs(project, &gitlab.ListJobsOptions{Scope: &scope})
	check(err)
	listed := false
	for _, one := range found {
		listed = listed || one.ID == job.ID
	}
	trace, _, err := me.Jobs.GetTraceFile(project, job.ID)
	check(err)
	log, err := io.ReadAll(trace)
	check(err)
	_, early, earlyErr := me.Jobs.PlayJob(project, ids["ship"])
	_, none, noneErr := me.Jobs.GetJobArtifacts(project, job.ID)
	return object{
		"shown":        list{job.Name, job.Stage, job.Status, job.TagList},
		"listed":       listed,
		"canceled":     canceled.Status,
		"retried":      list{retried.Status, retried.ID > job.ID},
		"log":          string(log),
		"early":        status(early, earlyErr),
		"no artifacts": status(none, noneErr),
	}
}

func triggers() object {
	trigger, _, err := me.PipelineTriggers.AddPipelineTrigger(project, &gitlab.AddPipelineTriggerOptions{Description: gitlab.String("Nightly")})
	check(err)
	ref := gitlab.String("main")
	pipeline, _, err := me.PipelineTriggers.RunPipelineTrigger(project, &gitlab.RunPipelineTriggerOptions{Ref: ref, Token: &trigger.Token, Variables: map[string]string{"NAME": "y"}})
	check(err)
	_, _, err = me.PipelineTriggers.EditPipelineTrigger(project, trigger.ID, &gitlab.EditPipelineTriggerOptions{Description: gitlab.String("Daily")})
	check(err)
	variables, _, err := me.Pipelines.GetPipelineVariables(project, pipeline.ID)
	check(err)
	given := map[string]string{}
	for _, one := range variables {
		given[one.Key] = one.Value
	}
	changed := list{}
	found, _, err := me.PipelineTriggers.ListPipelineTriggers(project, nil)
	check(err)
	for _, one := range found {
		changed = append(changed, one.Description)
	}
	_, wrong, wrongErr := me.PipelineTriggers.RunPipelineTrigger(project, &gitlab.RunPipelineTriggerOptions{Ref: ref, Token: gitlab.String("wrong")})
	_, err = me.PipelineTriggers.DeletePipelineTrigger(project, trigger.ID)
	check(err)
	left, _, err := me.PipelineTriggers.ListPipelineTriggers(project, nil)
	check(err)
	return object{
		"made":        list{trigger.Owner.Username, trigger.Token[:6]},
		"run":         list{pipeline.Status, pipeline.Source, given["NAME"]},
		"changed":     changed,
		"wrong token": status(wrong, wrongErr),
		"left":        left,
	}
}

func variables() object {
	_, _, err := me.ProjectVariables.CreateVariable(project, &gitlab.CreateProjectVariableOptions{Key: gitlab.String("NAME"), Value: gitlab.String("x"), EnvironmentScope: gitlab.String("*")})
	check(err)
	_, _, err = me.ProjectVariables.UpdateVariable(project, "NAME", &gitlab.UpdateProjectVariableOptions{Value: gitlab.String("y")})
	check(err)
	read, _, err := me.ProjectVariables.GetVariable(project, "NAME", nil)
	check(err)
	listed := list{}
	found, _, err := me.ProjectVariables.ListVariables(project, nil)
	check(err)
	for _, one := range found {
		listed = append(listed, one.Key)
	}
	_, err = me.ProjectVariables.RemoveVariable(project, "NAME", nil)
	check(err)
	_, gone, goneErr := me.ProjectVariables.GetVariable(project, "NAME", nil)
	return object{
		"read":   list{read.Value, read.VariableType, read.Protected, read.Masked},
		"listed": listed,
		"gone":   status(gone, goneErr),
	}
}

func schedules() object {
	made, _, err := me.PipelineSchedules.CreatePipelineSchedule(project, &gitlab.CreatePipelineScheduleOptions{Description: gitlab.String("Nightly"), Ref: gitlab.String("main"), Cron: gitlab.String("0 3 * * *")})
	check(err)
	_, _, err = me.PipelineSchedules.CreatePipelineScheduleVariable(project, made.ID, &gitlab.CreatePipelineScheduleVariableOptions{Key: gitlab.String("NAME"), Value: gitlab.String("x")})
	check(err)
	read, _, err := me.PipelineSchedules.GetPipelineSchedule(project, made.ID)
	check(err)
	played, err := me.PipelineSchedules.RunPipelineSchedule(project, made.ID)
	check(err)
	_, _, err = me.PipelineSchedules.EditPipelineSchedule(project, made.ID, &gitlab.EditPipelineScheduleOptions{Description: gitlab.String("Weekly")})
	check(err)
	changed := list{}
	found, _, err := me.PipelineSchedules.ListPipelineSchedules(project, nil)
	check(err)
	for _, one := range found {
		changed = append(changed, one.Description)
	}
	_, err = me.PipelineSchedules.DeletePipelineSchedule(project, made.ID)
	check(err)
	left, _, err := me.PipelineSchedules.ListPipelineSchedules(project, nil)
	check(err)
	return object{
		"made":      list{made.Cron, made.Active, made.Owner.Username},
		"variables": list{list{read.Variables[0].Key, read.Variables[0].Value}},
		"played":    played.StatusCode,
		"changed":   changed,
		"left":      left,
	}
}

func environments() object {
	made, _, err := me.Environments.CreateEnvironment(project, &gitlab.CreateEnvironmentOptions{Name: gitlab.String("review/a"), ExternalURL: gitlab.String("https://a.example.com")})
	check(err)
	succeeded := gitlab.DeploymentStatusSuccess
	deployed, _, err := me.Deployments.CreateProjectDeployment(project, &gitlab.CreateProjectDeploymentOptions{Environment: gitlab.String("review/a"), Ref: gitlab.String("main"), SHA: &head, Tag: gitlab.Bool(false), Status: &succeeded})
	check(err)
	shown, _, err := me.Environments.GetEnvironment(project, made.ID)
	check(err)
	early, earlyErr := me.Environments.DeleteEnvironment(project, made.ID)
	_, err = me.Environments.StopEnvironment(project, made.ID)
	check(err)
	stopped, _, err := me.Environments.GetEnvironment(project, made.ID)
	check(err)
	_, err = me.Environments.DeleteEnvironment(project, made.ID)
	check(err)
	_, gone, goneErr := me.Environments.GetEnvironment(project, made.ID)
	return object{
		"made":     list{made.Name, made.Slug[:9], made.State},
		"deployed": list{deployed.Status, deployed.Ref, shown.LastDeployment.SHA == head},
		"early":    status(early, earlyErr),
		"stopped":  stopped.State,
		"gone":     status(gone, goneErr),
	}
}

func runners() object {
	token, _, err := me.Runners.ResetProjectRunnerRegistrationToken(project)
	check(err)
	tags := []string{"linux", "arm"}
	made, _, err := me.Runners.RegisterNewRunner(&gitlab.RegisterNewRunnerOptions{Token: token.Token, Description: gitlab.String("Builder"), TagList: &tags})
	check(err)
	shown, _, err := me.Runners.GetRunnerDetails(made.ID)
	check(err)
	_, err = me.Runners.VerifyRegisteredRunner(&gitlab.VerifyRegisteredRunnerOptions{Token: gitlab.String(made.Token)})
	check(err)
	_, _, err = me.Runners.UpdateRunnerDetails(made.ID, &gitlab.UpdateRunnerDetailsOptions{Paused: gitlab.Bool(true)})
	check(err)
	found, _, err := me.Runners.ListProjectRunners(project, nil)
	check(err)
	names := list{}
	for _, one := range found {
		names = append(names, one.Description)
	}
	jobs, _, err := me.Runners.ListRunnerJobs(made.ID, nil)
	check(err)
	paused, _, err := me.Runners.GetRunnerDetails(made.ID)
	check(err)
	_, err = me.Runners.RemoveRunner(made.ID)
	check(err)
	_, gone, goneErr := me.Runners.GetRunnerDetails(made.ID)
	sort.Strings(shown.TagList)
	return object{
		"made":           list{made.ID == shown.ID, shown.Description, shown.TagList, shown.RunnerType},
		"of the project": names,
		"jobs":           jobs,
		"paused":         paused.Paused,
		"gone":           status(gone, goneErr),
	}
}

func lint() object {
	right, _, err := me.Validate.ProjectLint(project, nil)
	check(err)
	wrong, _, err := me.Validate.ProjectNamespaceLint(project, &gitlab.ProjectNamespaceLintOptions{Content: gitlab.String("a: { stage: nowhere, script: make }")})
	check(err)
	text, _, err := me.Validate.Lint(&gitlab.LintOptions{Content: configuration})
	check(err)
	return object{
		"of the project":  list{right.Valid, right.Errors},
		"of a text":       list{wrong.Valid, strings.Contains(wrong.Errors[0], "stage nowhere does not exist")},
		"of the instance": text.Status,
	}
}

func main() {
	made, _, err := me.Projects.CreateProject(&gitlab.CreateProjectOptions{Name: gitlab.String("Go pipelines")})
	check(err)
	project = made.ID
	action := gitlab.FileCreate
	commit, _, err := me.Commits.CreateCommit(project, &gitlab.CreateCommitOptions{
		Branch:        gitlab.String("main"),
		CommitMessage: gitlab.String("Configure [skip ci]"),
		Actions:       []*gitlab.CommitActionOptions{{Action: &action, FilePath: gitlab.String(".gitlab-ci.yml"), Content: gitlab.String(configuration)}},
	})
	check(err)
	head = commit.ID
	printResults([]subject{
		{"pipelines", pipelines}, {"jobs", jobs}, {"triggers", triggers}, {"variables", variables}, {"schedules", schedules},
		{"environments", environments}, {"runners", runners}, {"lint", lint},
	})
}
