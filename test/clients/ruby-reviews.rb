# frozen_string_literal: true

# Takes a merge request from its branch to its end with ruby-gitlab, and prints the result of each subject as JSON.
# The environment has the gateway in GATEWAY, and a token of a user in TOKEN. If a subject raises an error, that is
# its result. The subjects have the same names and results as those of the other clients.

require_relative 'ruby-subjects'

PROJECT = ME.create_project('Rb reviews').id

def create(path, content)
  [{ action: 'create', file_path: path, content: content }]
end

ME.create_commit(PROJECT, 'main', 'Begin', create('a.txt', "a\n"))
ME.create_branch(PROJECT, 'topic', 'main')
HEAD = ME.create_commit(PROJECT, 'topic', 'Topic', create('t.txt', "t\n")).id
ME.create_issue(PROJECT, 'To do')

SUBJECTS = {
  opening: lambda {
    open = lambda { |title|
      ME.create_merge_request(PROJECT, title, source_branch: 'topic', target_branch: 'main', labels: 'code', description: 'Closes #1')
    }
    made = open.call('Draft: A topic')
    result = {
      made: [made.iid, made.work_in_progress, made.labels, made.author.username],
      twice: status { open.call('Again') }
    }
    changed = ME.update_merge_request(PROJECT, 1, title: 'A topic')
    result.merge(
      found: ME.merge_requests(PROJECT, state: 'opened', labels: 'code', per_page: 1).auto_paginate.map(&:title),
      changed: [changed.title, changed.work_in_progress],
      commits: ME.merge_request_commits(PROJECT, 1).map(&:title),
      changes: ME.merge_request_changes(PROJECT, 1).changes.map { |one| one['new_path'] },
      participants: ME.merge_request_participants(PROJECT, 1).map(&:username),
      closes: ME.merge_request_closes_issues(PROJECT, 1).map(&:title)
    )
  },

  reviewing: lambda {
    refs = ME.merge_request(PROJECT, 1).diff_refs
    position = {
      base_sha: refs.base_sha, start_sha: refs.start_sha, head_sha: refs.head_sha, position_type: 'text',
      new_path: 't.txt', old_path: 't.txt', new_line: 1
    }
    thread = ME.create_merge_request_discussion(PROJECT, 1, body: 'This line?', position: position)
    note = thread.notes.first
    resolved = ME.resolve_merge_request_discussion(PROJECT, 1, thread.id, resolved: true)
    {
      thread: [note['type'], note['position']['new_line']],
      resolved: resolved.notes.first['resolved'],
      versions: ME.merge_request_diff_versions(PROJECT, 1).length
    }
  },

  merging: lambda {
    result = { 'wrong head': status { ME.accept_merge_request(PROJECT, 1, sha: '0' * 40) } }
    ME.update_commit_status(PROJECT, HEAD, 'running', ref: 'topic')
    waits = ME.accept_merge_request(PROJECT, 1, merge_when_pipeline_succeeds: true, should_remove_source_branch: true)
    result[:waits] = [waits.merge_when_pipeline_succeeds, waits.state]
    ME.update_commit_status(PROJECT, HEAD, 'success', ref: 'topic')
    wait_for { ME.merge_request(PROJECT, 1).state == 'merged' }
    after = ME.merge_request(PROJECT, 1)
    result[:merged] = [after.state, after.merged_by&.username]
    result[:twice] = status { ME.accept_merge_request(PROJECT, 1) }
    wait_for { ME.issue(PROJECT, 1).state == 'closed' }
    result[:issue] = ME.issue(PROJECT, 1).state
    result[:branch] = wait_for { status { ME.branch(PROJECT, 'topic') } }
    result
  }
}.freeze

print_results(SUBJECTS)
