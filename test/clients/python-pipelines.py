"""Runs pipelines with python3-gitlab in a gateway, and prints the result of each subject as JSON.

The environment has the gateway in GATEWAY, and a token of a user in TOKEN. If a subject raises an error, that is
its result. The subjects have the same names and results as those of the other clients.
"""

from python_subjects import me, print_results, status

project = me.projects.create({"name": "Py pipelines"})
configuration = """
stages: [build, deploy]
compile: { stage: build, script: make }
ship: { stage: deploy, script: make ship, when: manual, environment: production }
"""
head = project.commits.create(
    {
        "branch": "main",
        "commit_message": "Configure [skip ci]",
        "actions": [{"action": "create", "file_path": ".gitlab-ci.yml", "content": configuration}],
    }
)


def pipelines():
    made = project.pipelines.create({"ref": "main", "variables": [{"key": "NAME", "value": "x"}]})
    listed = project.pipelines.list(source="api", get_all=True)
    report = made.test_report.get()
    canceled = made.cancel()
    retried = made.retry()
    return {
        "made": [made.status, made.source, made.ref],
        "variables": [[one.key, one.value] for one in made.variables.list()],
        "listed": [one.id == made.id for one in listed],
        "jobs": [one.name for one in made.jobs.list()],
        "bridges": made.bridges.list(),
        "report": [report.total_count, report.test_suites],
        "canceled": canceled["status"],
        "retried": retried["status"],
        "no such branch": status(lambda: project.pipelines.create({"ref": "gone"})),
        "gone": status(lambda: project.pipelines.get(2147483647)),
    }


def jobs():
    pipeline = project.pipelines.create({"ref": "main"})
    ids = {one.name: one.id for one in pipeline.jobs.list()}
    job = project.jobs.get(ids["compile"])
    canceled = job.cancel()
    retried = job.retry()
    return {
        "shown": [job.name, job.stage, job.status, job.tag_list],
        "listed": ids["compile"] in [one.id for one in project.jobs.list(scope=["canceled"], get_all=True)],
        "canceled": canceled["status"],
        "retried": [retried["status"], retried["id"] > job.id],
        "log": job.trace().decode(),
        "early": status(project.jobs.get(ids["ship"]).play),
        "no artifacts": status(project.jobs.get(ids["compile"], lazy=True).artifacts),
    }


def triggers():
    trigger = project.triggers.create({"description": "Nightly"})
    pipeline = project.trigger_pipeline("main", trigger.token, variables={"NAME": "y"})
    trigger.description = "Daily"
    trigger.save()
    given = {one.key: one.value for one in project.pipelines.get(pipeline.id).variables.list()}
    result = {
        "made": [trigger.owner["username"], trigger.token[:6]],
        "run": [pipeline.attributes["status"], pipeline.attributes["source"], given["NAME"]],
        "changed": [one.description for one in project.triggers.list()],
        "wrong token": status(lambda: project.trigger_pipeline("main", "wrong")),
    }
    trigger.delete()
    result["left"] = project.triggers.list()
    return result


def variables():
    made = project.variables.create({"key": "NAME", "value": "x", "environment_scope": "*"})
    made.value = "y"
    made.save()
    read = project.variables.get("NAME")
    listed = [one.key for one in project.variables.list()]
    read.delete()
    return {
        "read": [read.value, read.variable_type, read.protected, read.masked],
        "listed": listed,
        "gone": status(lambda: project.variables.get("NAME")),
    }


def schedules():
    made = project.pipelineschedules.create({"description": "Nightly", "ref": "main", "cron": "0 3 * * *"})
    made.variables.create({"key": "NAME", "value": "x"})
    read = project.pipelineschedules.get(made.id)
    played = read.play()
    # The answer to `play` has replaced the record, its number included.
    read = project.pipelineschedules.get(made.id)
    read.description = "Weekly"
    read.save()
    result = {
        "made": [made.cron, made.active, made.owner["username"]],
        "variables": [[one["key"], one["value"]] for one in read.attributes["variables"]],
        "played": played["message"],
        "changed": [one.description for one in project.pipelineschedules.list()],
    }
    read.delete()
    result["left"] = project.pipelineschedules.list()
    return result


def environments():
    made = project.environments.create({"name": "review/a", "external_url": "https://a.example.com"})
    deployed = project.deployments.create(
        {"environment": "review/a", "sha": head.id, "ref": "main", "tag": False, "status": "success"}
    )
    shown = project.environments.get(made.id)
    early = status(made.delete)
    shown.stop()
    stopped = project.environments.get(made.id).state
    shown.delete()
    return {
        "made": [made.name, made.slug[:9], made.state],
        "deployed": [deployed.status, deployed.ref, shown.last_deployment["sha"] == head.id],
        "early": early,
        "stopped": stopped,
        "gone": status(lambda: project.environments.get(made.id)),
    }


def runners():
    token = me.http_post(f"/projects/{project.id}/runners/reset_registration_token")["token"]
    made = me.runners.create({"token": token, "description": "Builder", "tag_list": "linux,arm"})
    shown = me.runners.get(made.id)
    me.runners.verify(made.token)
    shown.paused = True
    shown.save()
    result = {
        "made": [made.id == shown.id, shown.description, sorted(shown.tag_list), shown.runner_type],
        "of the project": [one.description for one in project.runners.list()],
        "jobs": shown.jobs.list(),
        "paused": me.runners.get(made.id).paused,
    }
    shown.delete()
    result["gone"] = status(lambda: me.runners.get(made.id))
    return result


def lint():
    right = project.ci_lint.get()
    wrong = project.ci_lint.create({"content": "a: { stage: nowhere, script: make }"})
    return {
        "of the project": [right.valid, right.errors],
        "of a text": [wrong.valid, "stage nowhere does not exist" in wrong.errors[0]],
        "of the instance": me.ci_lint.create({"content": configuration}).status,
    }


print_results(pipelines, jobs, triggers, variables, schedules, environments, runners, lint)
