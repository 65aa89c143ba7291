"""Plans work with python3-gitlab in a gateway, and prints the result of each subject as JSON.

The environment has the gateway in GATEWAY, and a token of a user in TOKEN. If a subject raises an error, that is
its result. The subjects have the same names and results as those of the other clients.
"""

from python_subjects import me, print_results, status

group = me.groups.create({"name": "Py plans", "path": "py-plans", "visibility": "internal"})
project = me.projects.create({"name": "Garden", "namespace_id": group.id})
other = me.projects.create({"name": "Orchard", "namespace_id": group.id})


def labels():
    label = project.labels.create({"name": "to do or not", "color": "green", "priority": 3})
    label.new_name = "to do"
    label.save()
    project.labels.create({"name": "bug", "color": "#abcdef", "description": "Broken"})
    wide = group.labels.create({"name": "wide", "color": "#aa2211"})
    result = {
        "renamed": [label.name, label.color, label.priority],
        "all": [[one.name, one.is_project_label] for one in project.labels.list(with_counts=True, iterator=True, per_page=1)],
    }
    label.subscribe()
    wide.subscribe()
    result["subscribed"] = [label.subscribed, wide.subscribed, status(label.subscribe)]
    label.unsubscribe()
    wide.unsubscribe()
    result["unsubscribed"] = [label.subscribed, wide.subscribed, status(wide.unsubscribe)]
    label.promote()
    result["promoted"] = project.labels.get("to do").is_project_label
    group.labels.delete("wide")
    result["gone"] = status(lambda: group.labels.get("wide"))
    return result


def milestones():
    spring = project.milestones.create({"title": "Spring", "start_date": "2999-03-01", "due_date": "2999-04-30"})
    summer = project.milestones.create({"title": "Summer"})
    result = {"found": [[one.title, one.due_date] for one in project.milestones.list(iids=[spring.iid])]}
    spring.state_event = "close"
    spring.save()
    result["closed"] = [spring.state, [one.title for one in project.milestones.list(state="active")]]
    spring.state_event = "activate"
    spring.save()
    spring.promote()
    result["promoted"] = [one.title for one in group.milestones.list()]
    summer.delete()
    result["gone"] = status(lambda: project.milestones.get(summer.id))
    return result


def issues():
    milestone = group.milestones.list(title="Spring")[0]
    issue = project.issues.create(
        {
            "title": "Pump leaks", "description": "- [x] find\n- [ ] seal", "labels": ["bug", "to do"], "due_date": "2999-04-01",
            "milestone_id": milestone.id, "assignee_ids": [me.user.id],
        }
    )
    project.issues.create({"title": "Only a bug", "labels": "bug", "confidential": True})
    found = lambda **by: [one.title for one in project.issues.list(get_all=True, **by)]
    result = {
        "made": [issue.iid, issue.labels, issue.milestone["title"], issue.due_date, issue.assignee["username"]],
        "tasks": issue.task_completion_status,
        "by two labels": found(labels=["bug", "to do"]),
        "by one label": found(labels=["bug"], order_by="title", sort="asc"),
        "without one": found(**{"not[labels]": "to do"}),
        "without any": found(labels="None"),
        "by iid": found(iids=[2]),
        "by milestone": found(milestone="Spring"),
        "by text": found(search="leak"),
        "everywhere": "Pump leaks" in [one.title for one in me.issues.list(scope="assigned_to_me", iterator=True)],
        "of the group": [one.title for one in group.issues.list(labels=["to do"], iterator=True)],
        "of the milestone": [one.title for one in milestone.issues()],
        "counts": project.issues_statistics.get().statistics["counts"],
    }
    issue.title = "The pump leaks"
    issue.labels = ["bug"]
    issue.save()
    result["changed"] = [issue.title, issue.labels, project.issues.get(issue.iid).labels]
    return result


def discussions():
    issue = project.issues.get(1)
    note = issue.notes.create({"body": "Where?"})
    note.body = "Where is it?"
    note.save()
    thread = issue.discussions.create({"body": "At the valve."})
    reply = thread.notes.create({"body": "Which?"})
    reply.body = "Which one?"
    reply.save()
    result = {
        "edited": [note.body, thread.notes.get(reply.id).body],
        "thread": [thread.individual_note, [one["type"] for one in issue.discussions.get(thread.id).attributes["notes"]]],
    }
    resolved = me.http_put(f"/projects/{project.id}/issues/1/discussions/{thread.id}", post_data={"resolved": True})
    result["resolved"] = [one["resolved"] for one in resolved["notes"]]
    reply.delete()
    listed = issue.notes.list(sort="asc", activity_filter="only_comments", iterator=True, per_page=1)
    result["left"] = [one.body for one in listed]
    award = note.awardemojis.create({"name": "tractor"})
    result["award of a note"] = [award.name, award.awardable_type, [one.name for one in note.awardemojis.list()]]
    note.delete()
    result["gone"] = status(lambda: issue.notes.get(note.id))
    return result


def time():
    issue = project.issues.get(1)
    return {
        "estimated": issue.time_estimate("3h 30m")["human_time_estimate"],
        "spent": issue.add_spent_time("1h")["human_total_time_spent"],
        "both": project.issues.get(1).time_stats(),
        "nothing left": [issue.reset_time_estimate()["time_estimate"], issue.reset_spent_time()["total_time_spent"]],
        "nonsense": status(lambda: issue.time_estimate("soon")),
    }


def awards():
    issue = project.issues.get(1)
    award = issue.awardemojis.create({"name": "+1"})
    result = {
        "given": [award.name, project.issues.get(1).upvotes],
        "twice": status(lambda: issue.awardemojis.create({"name": "thumbsup"})),
        "none": status(lambda: issue.awardemojis.create({"name": "no such"})),
        "listed": [one.name for one in issue.awardemojis.list()],
    }
    award.delete()
    result["taken back"] = [one.name for one in issue.awardemojis.list()]
    return result


def subscriptions():
    issue = project.issues.get(1)
    issue.unsubscribe()
    result = {"unsubscribed": [issue.subscribed, status(issue.unsubscribe)]}
    issue.subscribe()
    result["subscribed"] = [issue.subscribed, status(issue.subscribe)]
    result["participants"] = [one["username"] for one in issue.participants()]
    return result


def links():
    issue = project.issues.get(1)
    source, target = issue.links.create({"target_project_id": project.id, "target_issue_iid": 2})
    result = {
        "linked": [source.iid, target.iid],
        "twice": status(lambda: issue.links.create({"target_project_id": project.id, "target_issue_iid": 2})),
        "listed": [[one.title, one.link_type] for one in issue.links.list()],
    }
    issue.links.delete(issue.links.list()[0].issue_link_id)
    result["gone"] = issue.links.list()
    return result


def todos():
    me.todos.mark_all_as_done()
    issue = project.issues.get(2)
    issue.todo()
    made = me.todos.list()
    result = {
        "made": [[one.action_name, one.target_type, one.target["labels"], one.state] for one in made],
        "twice": status(issue.todo),
    }
    made[0].mark_as_done()
    result["one done"] = [made[0].state, len(me.todos.list())]
    project.issues.create({"title": "Mine", "assignee_ids": [me.user.id]})
    result["assigned"] = [one.action_name for one in me.todos.list()]
    me.todos.mark_all_as_done()
    result["all done"] = len(me.todos.list())
    return result


def quick_actions():
    issue = project.issues.get(1)
    answer = me.http_post(f"/projects/{project.id}/issues/1/notes", post_data={"body": "/close\n/estimate 2h"})
    result = {
        "summary": answer["summary"],
        "state": [project.issues.get(1).state, project.issues.get(1).time_stats()["human_time_estimate"]],
        "with a text": issue.notes.create({"body": "Again.\n/reopen"}).body,
        "reopened": project.issues.get(1).state,
    }
    return result


def history():
    issue = project.issues.get(1)
    labels = [[one.action, one.label["name"]] for one in issue.resourcelabelevents.list()]
    states = [one.state for one in issue.resourcestateevents.list()]
    milestones = issue.resourcemilestoneevents.list()
    return {
        "labels": sorted(labels),
        "states": states,
        "milestones": [[one.action, one.milestone["title"]] for one in milestones],
        "one": issue.resourcemilestoneevents.get(milestones[0].id).id == milestones[0].id,
        "activity": sorted({f"{one.action_name} {one.target_type}" for one in project.events.list(target_type="issue", iterator=True)}),
        "closings": [one.target_title for one in me.events.list(action="closed", target_type="issue")][:1],
    }


def moves():
    issue = project.issues.create({"title": "Apples", "labels": ["bug"]})
    old = project.issues.get(issue.iid)
    issue.move(other.id)
    result = {
        "moved": [issue.project_id == other.id, issue.title, project.issues.get(old.iid).state],
        "left behind": project.issues.get(old.iid).moved_to_id == issue.id,
    }
    other.issues.delete(issue.iid)
    result["gone"] = status(lambda: other.issues.get(issue.iid))
    return result


def snippets():
    result = {}
    for name, place in [("personal", me.snippets), ("of a project", project.snippets)]:
        snippet = place.create({"title": "Adder", "file_name": "sum.py", "content": "1 + 1\n", "visibility": "private"})
        snippet.title = "Sum"
        snippet.content = "2 + 2\n"
        snippet.file_name = "sum.py"
        snippet.save()
        again = place.get(snippet.id)
        result[name] = [again.title, again.file_name, place.get(snippet.id).content().decode(), snippet.id in [one.id for one in place.list(iterator=True)]]
    note = project.snippets.get(snippet.id).notes.create({"body": "Right."})
    result["note"] = [note.body, note.noteable_type]
    files = [{"file_path": "a.txt", "content": "A"}, {"file_path": "docs/b.txt", "content": "B"}]
    several = me.http_post("/snippets", post_data={"title": "Two", "visibility": "internal", "files": files})
    result["several files"] = [
        [one["path"] for one in several["files"]],
        me.http_get(f"/snippets/{several['id']}/files/main/docs%2Fb.txt/raw", raw=True).content.decode(),
    ]
    project.snippets.delete(snippet.id)
    result["gone"] = status(lambda: project.snippets.get(snippet.id))
    return result


def markdown():
    html = me.markdown("**#1**", gfm=True, project=project.path_with_namespace)
    return {"bold": "<strong>" in html, "link": f"/{project.path_with_namespace}/-/issues/1" in html}


print_results(labels, milestones, issues, discussions, time, awards, subscriptions, links, todos, quick_actions, history, moves, snippets, markdown)
