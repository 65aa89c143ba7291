"""Works on code with python3-gitlab in a gateway, and prints the result of each subject as JSON.

The environment has the gateway in GATEWAY, and a token of a user in TOKEN. If a subject raises an error, that is
its result. The subjects have the same names and results as those of the other clients.
"""

from python_subjects import me, print_results, status

project = me.projects.create({"name": "Py code"})


def commit(branch, message, actions, **more):
    return project.commits.create({"branch": branch, "commit_message": message, "actions": actions, **more})


def create(path, content):
    return {"action": "create", "file_path": path, "content": content}


def commits():
    first = commit("main", "Begin", [create("a.txt", "one\ntwo\n"), create("docs/b.md", "# B\n")])
    second = commit("main", "Go on\n\nWith more.", [{"action": "update", "file_path": "a.txt", "content": "one\n2\n"}])
    diff = second.diff()
    second.comments
    return {
        "made": [first.title, second.parent_ids == [first.id], second.stats],
        "listed": [one.title for one in project.commits.list(ref_name="main", get_all=True)],
        "of a path": [one.title for one in project.commits.list(query_parameters={"path": "docs/b.md"})],
        "diff": [(one["new_path"], one["new_file"]) for one in diff],
        "refs": [one["name"] for one in second.refs("branch")],
        "gone": status(lambda: project.commits.get("0" * 40)),
    }


def files():
    file = project.files.create({"file_path": "c/d e.txt", "branch": "main", "content": "c\n", "commit_message": "Add c"})
    file.content = "C\n"
    file.save(branch="main", commit_message="Change c")
    read = project.files.get("c/d e.txt", ref="main")
    raw = project.files.raw("c/d e.txt", ref="main")
    read.delete(branch="main", commit_message="Remove c")
    return {
        "read": [read.file_name, read.size, read.decode().decode()],
        "raw": raw.decode(),
        "gone": status(lambda: project.files.get("c/d e.txt", ref="main")),
        "tree": [(one["path"], one["type"]) for one in project.repository_tree(recursive=True, get_all=True)],
        "archive": project.repository_archive()[:2].hex() == "1f8b",
        "blame": [len(part["lines"]) for part in project.files.blame("a.txt", ref="main")],
    }


def branches():
    project.branches.create({"branch": "topic", "ref": "main"})
    made = commit("topic", "Topic", [create("t.txt", "t\n")])
    tag = project.tags.create({"tag_name": "v1", "ref": "main", "message": "First"})
    project.protectedbranches.create({"name": "release", "push_access_level": 40})
    between = project.repository_compare("main", "topic")
    rule = project.protectedbranches.get("release")
    rule.delete()
    project.protectedtags.create({"name": "v*", "create_access_level": 30})
    tags = project.protectedtags.get("v*")
    protected = project.tags.get("v1").protected
    tags.delete()
    return {
        "listed": sorted(one.name for one in project.branches.list(iterator=True)),
        "at": project.branches.get("topic").commit["id"] == made.id,
        "tag": [tag.name, tag.message, [one.name for one in project.tags.list()]],
        "compared": [[one["title"] for one in between["commits"]], [one["new_path"] for one in between["diffs"]]],
        "rule": rule.push_access_levels[0]["access_level"],
        "protected": [protected, tags.create_access_levels[0]["access_level"], len(project.protectedtags.list())],
        "gone": status(lambda: project.branches.get("nowhere")),
    }


def merge_requests():
    request = project.mergerequests.create({"source_branch": "topic", "target_branch": "main", "title": "Draft: A topic", "labels": "code"})
    twice = status(lambda: project.mergerequests.create({"source_branch": "topic", "target_branch": "main", "title": "Again"}))
    made = [request.iid, request.work_in_progress, request.labels, request.author["username"]]
    request.title = "A topic"
    request.save()
    return {
        "made": made,
        "twice": twice,
        "changed": [request.title, request.work_in_progress],
        "by branch": [one.title for one in project.mergerequests.list(source_branch="topic", state="opened")],
        "by label": [one.title for one in project.mergerequests.list(labels=["code"])],
        "everywhere": "A topic" in [one.title for one in me.mergerequests.list(scope="created_by_me", iterator=True)],
        "commits": [one.title for one in request.commits()],
        "changes": [one["new_path"] for one in request.changes()["changes"]],
        "versions": [len(one.head_commit_sha) for one in request.diffs.list()],
        "of the commit": [one["iid"] for one in project.commits.get("topic").merge_requests()],
        "participants": [one["username"] for one in request.participants()],
    }


def reviews():
    request = project.mergerequests.get(1)
    note = request.notes.create({"body": "Why?"})
    refs = request.diff_refs
    position = {**refs, "position_type": "text", "new_path": "t.txt", "old_path": "t.txt", "new_line": 1}
    thread = request.discussions.create({"body": "This line?", "position": position})
    open_before = project.mergerequests.get(1).blocking_discussions_resolved
    thread.resolved = True
    thread.save()
    request.awardemojis.create({"name": "thumbsup"})
    return {
        "note": [note.body, note.noteable_type],
        "thread": [thread.attributes["notes"][0]["type"], thread.attributes["notes"][0]["position"]["new_line"]],
        "resolved": [open_before, request.discussions.get(thread.id).attributes["notes"][0]["resolved"]],
        "awards": project.mergerequests.get(1).upvotes,
    }


def statuses():
    head = project.commits.get("topic")
    head.statuses.create({"state": "running", "name": "build", "ref": "topic", "coverage": 12.5})
    running = project.pipelines.list(ref="topic")[0]
    done = head.statuses.create({"state": "success", "name": "build", "ref": "topic", "coverage": 12.5})
    pipeline = project.pipelines.get(running.id)
    request = project.mergerequests.get(1)
    return {
        "running": [running.status, running.source],
        "done": [done.status, done.name, done.coverage],
        "pipeline": [pipeline.status, pipeline.coverage, type(pipeline.duration).__name__ in ("int", "NoneType")],
        "of the request": [one.status for one in request.pipelines.list()],
        "head": request.head_pipeline["status"],
        "listed": [one.name for one in head.statuses.list()],
    }


def merging():
    request = project.mergerequests.get(1)
    wrong = status(lambda: request.merge(sha="0" * 40))
    request.merge(should_remove_source_branch=True)
    after = project.mergerequests.get(1)
    return {
        "wrong head": wrong,
        "merged": [after.state, after.merged_by["username"], len(after.merge_commit_sha)],
        "twice": status(request.merge),
        "in the target": project.files.raw("t.txt", ref="main").decode(),
        "issues": [one.title for one in after.closes_issues()],
    }


print_results(commits, files, branches, merge_requests, reviews, statuses, merging)
