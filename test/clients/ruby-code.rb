# frozen_string_literal: true

# Works on code with ruby-gitlab in a gateway, and prints the result of each subject as JSON.
# The environment has the gateway in GATEWAY, and a token of a user in TOKEN. If a subject raises an error, that is
# its result. The subjects have the same names and results as those of the other clients.

require 'base64'
require_relative 'ruby-subjects'

PROJECT = ME.create_project('Rb code').id
REPOSITORY = "/projects/#{PROJECT}/repository"

def action(kind, path, **more)
  { action: kind, file_path: path, **more }
end

def commit(branch, message, *actions, **more)
  ME.create_commit(PROJECT, branch, message, actions, more)
end

# The bytes of an answer that isn't JSON.
def bytes(path)
  ME.get("#{REPOSITORY}#{path}", format: nil, parser: Gitlab::Request::Parser)
end

def names(list)
  list.map(&:name)
end

SUBJECTS = {
  commits: lambda {
    first = commit('main', 'Begin', action('create', 'a.txt', content: "one\ntwo\n"),
                   action('create', 'docs/b.md', content: "# B\n"), action('create', 'run.sh', content: "ls\n"))
    second = commit('main', "Go on\n\nWith more.",
                    action('update', 'a.txt', content: Base64.encode64("one\n2\n"), encoding: 'base64'),
                    action('move', 'docs/c.md', previous_path: 'docs/b.md'),
                    action('chmod', 'run.sh', execute_filemode: true))
    ME.create_branch(PROJECT, 'picked', first.id)
    picked = ME.cherry_pick_commit(PROJECT, second.id, 'picked')
    reverted = ME.revert_commit(PROJECT, picked.id, 'picked')
    comment = ME.create_commit_comment(PROJECT, second.id, 'Why?', path: 'a.txt', line: 2, line_type: 'new')
    {
      made: [second.title, second.message, second.parent_ids == [first.id], second.author_name, second.stats.to_h],
      one: [ME.commit(PROJECT, 'main').id == second.id, ME.commit(PROJECT, second.id[0, 8]).short_id == second.short_id],
      listed: ME.commits(PROJECT, ref_name: 'main', per_page: 1).auto_paginate.map(&:title),
      'of a path': ME.commits(PROJECT, path: 'docs/c.md').map(&:title),
      'with statistics': ME.commits(PROJECT, ref_name: 'main', with_stats: true).map { |one| one.stats.total },
      diff: ME.commit_diff(PROJECT, second.id).map do |one|
        [one.old_path, one.new_path, one.a_mode, one.b_mode, one.new_file, one.renamed_file, one.deleted_file]
      end,
      refs: ME.commit_refs(PROJECT, second.id).map { |one| [one.type, one.name] },
      picked: [picked.title, picked.parent_ids == [first.id]],
      reverted: [reverted.title, reverted.parent_ids == [picked.id]],
      'nothing to revert': status { ME.revert_commit(PROJECT, picked.id, 'picked') },
      commented: [comment.note, comment.path, comment.line, comment.author.username],
      comments: ME.commit_comments(PROJECT, second.id).map(&:note),
      statuses: ME.commit_status(PROJECT, second.id).to_a,
      requests: ME.commit_merge_requests(PROJECT, second.id).to_a,
      'not signed': status { ME.get("#{REPOSITORY}/commits/#{second.id}/signature") },
      'nothing changed': status { commit('main', 'No', action('update', 'no.txt', content: 'x')) },
      gone: status { ME.commit(PROJECT, '0' * 40) }
    }
  },

  files: lambda {
    made = ME.create_file(PROJECT, 'c/d e.txt', 'main', "c\n", 'Add c')
    changed = ME.edit_file(PROJECT, 'c/d e.txt', 'main', "C\n", 'Change c', author_name: 'Ann', author_email: 'ann@example.com')
    read = ME.get_file(PROJECT, 'c/d e.txt', 'main')
    head = ME.commit(PROJECT, 'main')
    raw = ME.file_contents(PROJECT, 'c/d e.txt', 'main')
    blame = ME.get_file_blame(PROJECT, 'a.txt', 'main')
    stale = status { ME.edit_file(PROJECT, 'a.txt', 'main', 'x', 'Late', last_commit_id: head.id) }
    ME.remove_file(PROJECT, 'c/d e.txt', 'main', 'Remove c')
    {
      made: [made.file_path, made.branch],
      changed: [changed.file_path, head.author_name],
      read: [read.file_name, read.file_path, read.size, read.encoding, Base64.decode64(read.content), read.ref, read.execute_filemode],
      commits: [read.commit_id == head.id, read.last_commit_id == head.id],
      raw: raw.to_s,
      blame: blame.map { |one| [one.commit['message'].lines.first.chomp, one.lines] },
      twice: status { ME.create_file(PROJECT, 'a.txt', 'main', 'x', 'Again') },
      stale: stale,
      gone: status { ME.get_file(PROJECT, 'c/d e.txt', 'main') }
    }
  },

  contents: lambda {
    blob = ME.tree(PROJECT, ref: 'main').find { |one| one.path == 'a.txt' }
    shown = ME.get("#{REPOSITORY}/blobs/#{blob.id}")
    {
      tree: ME.tree(PROJECT, recursive: true, per_page: 2).auto_paginate.map { |one| [one.path, one.type, one.mode] },
      'of a folder': ME.tree(PROJECT, path: 'docs', ref: 'main').map { |one| [one.name, one.path] },
      'no such folder': status { ME.tree(PROJECT, path: 'none') },
      blob: [shown['size'], shown.encoding, Base64.decode64(shown.content), shown.sha == blob.id],
      'raw blob': bytes("/blobs/#{blob.id}/raw"),
      'no such blob': status { ME.get("#{REPOSITORY}/blobs/#{'0' * 40}") },
      'tar.gz': ME.repo_archive(PROJECT, 'main').read(2).unpack1('H*'),
      zip: ME.repo_archive(PROJECT, 'main', 'zip').read(2),
      'no such archive': status { ME.repo_archive(PROJECT, 'nowhere') }
    }
  },

  branches: lambda {
    before = ME.commit(PROJECT, 'main').id
    made = ME.create_branch(PROJECT, 'topic/a+b', 'main')
    ME.create_branch(PROJECT, 'behind', 'main')
    ME.delete_branch(PROJECT, 'picked')
    head = commit('topic/a+b', 'Topic', action('create', 't.txt', content: "t\n")).id
    started = commit('started', 'Start', action('create', 's.txt', content: "s\n"), start_branch: 'main')
    topic = ME.branch(PROJECT, 'topic/a+b')
    result = {
      made: [made.name, made.commit.id == before, made.merged],
      started: started.parent_ids == [before],
      at: topic.commit.id == head,
      default: ME.branches(PROJECT, per_page: 1).auto_paginate.select(&:default).map(&:name),
      shown: [topic.protected, topic.merged, topic.default, topic.can_push, topic.developers_can_push, topic.developers_can_merge],
      listed: names(ME.branches(PROJECT)),
      found: names(ME.branches(PROJECT, search: '^top')),
      twice: status { ME.create_branch(PROJECT, 'behind', 'main') },
      'of nothing': status { ME.create_branch(PROJECT, 'new', 'nowhere') },
      'the default': status { ME.delete_branch(PROJECT, 'main') }
    }
    ME.delete_merged_branches(PROJECT)
    wait_for { names(ME.branches(PROJECT)).length < 4 }
    result[:'not merged'] = names(ME.branches(PROJECT))
    ME.delete_branch(PROJECT, 'started')
    result[:gone] = [status { ME.branch(PROJECT, 'started') }, status { ME.delete_branch(PROJECT, 'started') }]
    result
  },

  'protected branches': lambda {
    made = ME.protect_branch(PROJECT, 'topic/*', push_access_level: 40, merge_access_level: 30, allow_force_push: true)
    twice = status { ME.protect_branch(PROJECT, 'topic/*') }
    one = ME.protected_branch(PROJECT, 'topic/*')
    result = {
      made: [made.name, made.allow_force_push],
      levels: [one.push_access_levels, one.merge_access_levels].map { |all| all.map { |level| level['access_level'] } },
      words: one.push_access_levels.first['access_level_description'],
      listed: names(ME.protected_branches(PROJECT)),
      twice: twice,
      branch: [ME.branch(PROJECT, 'topic/a+b').protected, ME.branch(PROJECT, 'topic/a+b').developers_can_merge]
    }
    ME.unprotect_branch(PROJECT, 'topic/*')
    result[:gone] = [status { ME.protected_branch(PROJECT, 'topic/*') }, ME.branch(PROJECT, 'topic/a+b').protected]
    result
  },

  tags: lambda {
    head = ME.commit(PROJECT, 'main').id
    ME.create_tag(PROJECT, 'v1/a', 'main')
    made = ME.create_tag(PROJECT, 'v2', 'main', 'The second')
    rule = ME.protect_repository_tag(PROJECT, 'v*', create_access_level: 40)
    one = ME.tag(PROJECT, 'v1/a')
    result = {
      made: [made.name, made.message, made.commit.id == head, made.target == head, made.protected, made.release],
      light: [one.name, one.message.to_s, one.target == head, one.protected],
      rule: [rule.name, rule.create_access_levels.map { |level| [level['access_level'], level['access_level_description']] }],
      rules: [names(ME.protected_tags(PROJECT)), ME.protected_tag(PROJECT, 'v*').name],
      listed: ME.tags(PROJECT, order_by: 'name', sort: 'asc', per_page: 1).auto_paginate.map(&:name),
      found: names(ME.tags(PROJECT, search: '^v2')),
      refs: ME.commit_refs(PROJECT, head, type: 'tag').map(&:name).sort,
      twice: status { ME.create_tag(PROJECT, 'v2', 'main') },
      'of nothing': status { ME.create_tag(PROJECT, 'v3', 'nowhere') }
    }
    ME.unprotect_repository_tag(PROJECT, 'v*')
    ME.delete_tag(PROJECT, 'v1/a')
    result[:gone] = [status { ME.tag(PROJECT, 'v1/a') }, status { ME.delete_tag(PROJECT, 'v1/a') }]
    result[:left] = [names(ME.tags(PROJECT)), ME.protected_tags(PROJECT).to_a]
    result
  },

  comparing: lambda {
    between = ME.compare(PROJECT, 'main', 'topic/a+b')
    same = ME.compare(PROJECT, 'main', 'main')
    {
      compared: [between.commit['title'], between.commits.map { |one| one['title'] }, between.diffs.map { |one| one['new_path'] }],
      flags: [between.compare_timeout, between.compare_same_ref],
      same: [same.commit, same.commits, same.diffs, same.compare_same_ref],
      'merge base': ME.merge_base(PROJECT, ['main', 'topic/a+b']).id == ME.commit(PROJECT, 'main').id,
      'no merge base': status { ME.merge_base(PROJECT, %w[main nowhere]) },
      contributors: ME.contributors(PROJECT, order_by: 'commits', sort: 'desc').map { |one| [one.name, one.commits] },
      'to nothing': status { ME.compare(PROJECT, 'main', 'nowhere') }
    }
  },

  forks: lambda {
    fork = ME.create_fork(PROJECT, path: 'rb-code-fork', name: 'Rb code fork')
    wait_for { ME.project(fork.id).import_status == 'finished' }
    commit = ME.create_commit(fork.id, 'main', 'In the fork', [action('create', 'f.txt', content: "f\n")])
    {
      made: [fork.forked_from_project.id == PROJECT],
      listed: ME.project_forks(PROJECT).map { |one| one.id == fork.id },
      branches: names(ME.branches(fork.id)),
      tags: names(ME.tags(fork.id)),
      apart: [commit.title, status { ME.commit(PROJECT, commit.id) }]
    }
  }
}.freeze

print_results(SUBJECTS)
