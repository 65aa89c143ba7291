# frozen_string_literal: true

# Plans work with ruby-gitlab in a gateway, and prints the result of each subject as JSON.
# The environment has the gateway in GATEWAY, and a token of a user in TOKEN. If a subject raises an error, that is
# its result. The subjects have the same names and results as those of the other clients.

require_relative 'ruby-subjects'

GROUP = ME.create_group('Rb plans', 'rb-plans', visibility: 'internal')
PROJECT = ME.create_project('Garden', namespace_id: GROUP.id).id
OTHER = ME.create_project('Orchard', namespace_id: GROUP.id).id

SUBJECTS = {
  labels: lambda {
    ME.create_label(PROJECT, 'to do or not', 'green', priority: 3)
    label = ME.edit_label(PROJECT, 'to do or not', new_name: 'to do')
    ME.create_label(PROJECT, 'bug', '#abcdef', description: 'Broken')
    ME.create_group_label(GROUP.id, 'wide', '#aa2211')
    result = {
      renamed: [label.name, label.color, label.priority],
      all: ME.labels(PROJECT, with_counts: true, per_page: 1).auto_paginate.map { |one| [one.name, one.is_project_label] },
      subscribed: [
        ME.subscribe_to_label(PROJECT, 'to do').subscribed, ME.subscribe_to_group_label(GROUP.id, 'wide').subscribed,
        ME.subscribe_to_label(PROJECT, 'to do').to_h
      ],
      unsubscribed: [
        ME.unsubscribe_from_label(PROJECT, 'to do').subscribed, ME.unsubscribe_from_group_label(GROUP.id, 'wide').subscribed,
        ME.unsubscribe_from_group_label(GROUP.id, 'wide').to_h
      ]
    }
    result[:promoted] = ME.put("/projects/#{PROJECT}/labels/promote", body: { name: 'to do' }).name
    ME.delete_group_label(GROUP.id, 'wide')
    result[:gone] = status { ME.subscribe_to_group_label(GROUP.id, 'wide') }
    result
  },

  milestones: lambda {
    spring = ME.create_milestone(PROJECT, 'Spring', start_date: '2999-03-01', due_date: '2999-04-30')
    summer = ME.create_milestone(PROJECT, 'Summer')
    result = {
      found: ME.milestones(PROJECT, iids: [spring.iid]).map { |one| [one.title, one.due_date] },
      closed: [ME.edit_milestone(PROJECT, spring.id, state_event: 'close').state, ME.milestones(PROJECT, state: 'active').map(&:title)]
    }
    ME.edit_milestone(PROJECT, spring.id, state_event: 'activate')
    ME.post("/projects/#{PROJECT}/milestones/#{spring.id}/promote")
    result[:promoted] = ME.group_milestones(GROUP.id).map(&:title)
    ME.delete_milestone(PROJECT, summer.id)
    result[:gone] = status { ME.milestone(PROJECT, summer.id) }
    result
  },

  issues: lambda {
    milestone = ME.group_milestones(GROUP.id, title: 'Spring').first.id
    issue = ME.create_issue(
      PROJECT, 'Pump leaks', description: "- [x] find\n- [ ] seal", labels: 'bug,to do', due_date: '2999-04-01',
                             milestone_id: milestone, assignee_ids: [ME.user.id]
    )
    ME.create_issue(PROJECT, 'Only a bug', labels: 'bug', confidential: true)
    found = ->(**by) { ME.issues(PROJECT, by).auto_paginate.map(&:title) }
    result = {
      made: [issue.iid, issue.labels, issue.milestone.title, issue.due_date, issue.assignee.username],
      tasks: issue.task_completion_status.to_h,
      'by two labels': found.call(labels: 'bug,to do'),
      'by one label': found.call(labels: 'bug', order_by: 'title', sort: 'asc'),
      'without one': found.call(not: { labels: 'to do' }),
      'without any': found.call(labels: 'None'),
      'by iid': found.call(iids: [2]),
      'by milestone': found.call(milestone: 'Spring'),
      'by text': found.call(search: 'leak'),
      everywhere: ME.issues(nil, scope: 'assigned_to_me').auto_paginate.map(&:title).include?('Pump leaks'),
      'of the milestone': ME.group_milestone_issues(GROUP.id, milestone).map(&:title)
    }
    changed = ME.edit_issue(PROJECT, 1, title: 'The pump leaks', labels: 'bug')
    result[:changed] = [changed.title, changed.labels, ME.issue(PROJECT, 1).labels]
    result
  },

  discussions: lambda {
    note = ME.create_issue_note(PROJECT, 1, 'Where?')
    ME.edit_issue_note(PROJECT, 1, note.id, 'Where is it?')
    award = ME.create_note_award_emoji(PROJECT, 1, 'issue', note.id, 'tractor')
    result = {
      edited: ME.issue_note(PROJECT, 1, note.id).body,
      'award of a note': [award.name, award.awardable_type, ME.note_award_emojis(PROJECT, 1, 'issue', note.id).map(&:name)],
      left: ME.issue_notes(PROJECT, 1, activity_filter: 'only_comments').map(&:body)
    }
    ME.delete_note_award_emoji(PROJECT, 1, 'issue', note.id, award.id)
    ME.delete_issue_note(PROJECT, 1, note.id)
    result[:gone] = status { ME.issue_note(PROJECT, 1, note.id) }
    result
  },

  time: lambda {
    {
      # The client encodes this duration twice.
      estimated: ME.estimate_time_of_issue(PROJECT, 1, '3h 30m').human_time_estimate,
      spent: ME.add_time_spent_on_issue(PROJECT, 1, '1h').human_total_time_spent,
      both: ME.time_stats_for_issue(PROJECT, 1).to_h,
      'nothing left': [ME.reset_time_estimate_of_issue(PROJECT, 1).time_estimate, ME.reset_time_spent_on_issue(PROJECT, 1).total_time_spent],
      nonsense: status { ME.estimate_time_of_issue(PROJECT, 1, 'soon') }
    }
  },

  awards: lambda {
    award = ME.create_award_emoji(PROJECT, 1, 'issue', '+1')
    result = {
      given: [award.name, ME.issue(PROJECT, 1).upvotes],
      twice: status { ME.create_award_emoji(PROJECT, 1, 'issue', 'thumbsup') },
      none: status { ME.create_award_emoji(PROJECT, 1, 'issue', 'no such') },
      listed: ME.award_emojis(PROJECT, 1, 'issue').map(&:name)
    }
    ME.delete_award_emoji(PROJECT, 1, 'issue', award.id)
    result['taken back'] = ME.award_emojis(PROJECT, 1, 'issue').map(&:name)
    result
  },

  subscriptions: lambda {
    {
      unsubscribed: ME.unsubscribe_from_issue(PROJECT, 1).subscribed,
      subscribed: ME.subscribe_to_issue(PROJECT, 1).subscribed,
      # The client takes the empty answer with status 304 for a record without members.
      'nothing to do': ME.subscribe_to_issue(PROJECT, 1).to_h,
      participants: ME.participants_on_issue(PROJECT, 1).map(&:username)
    }
  },

  links: lambda {
    made = ME.create_issue_link(PROJECT, 1, PROJECT, 2)
    result = {
      linked: [made.source_issue.iid, made.target_issue.iid],
      twice: status { ME.create_issue_link(PROJECT, 1, PROJECT, 2) },
      listed: ME.issue_links(PROJECT, 1).map { |one| [one.title, one.link_type] }
    }
    ME.delete_issue_link(PROJECT, 1, ME.issue_links(PROJECT, 1).first.issue_link_id)
    result[:gone] = ME.issue_links(PROJECT, 1).map(&:title)
    result
  },

  todos: lambda {
    ME.mark_all_todos_as_done
    ME.post("/projects/#{PROJECT}/issues/2/todo")
    made = ME.todos.to_a
    result = { made: made.map { |one| [one.action_name, one.target_type, one.target.labels, one.state] } }
    result['one done'] = [ME.mark_todo_as_done(made.first.id).state, ME.todos.length]
    ME.create_issue(PROJECT, 'Mine', assignee_ids: [ME.user.id])
    result[:assigned] = ME.todos.map(&:action_name)
    ME.mark_all_todos_as_done
    result['all done'] = ME.todos.length
    result
  },

  'quick actions': lambda {
    answer = ME.create_issue_note(PROJECT, 1, "/close\n/estimate 2h")
    issue = ME.issue(PROJECT, 1)
    {
      summary: answer.summary,
      state: [issue.state, issue.time_stats.human_time_estimate],
      'with a text': ME.create_issue_note(PROJECT, 1, "Again.\n/reopen").body,
      reopened: ME.issue(PROJECT, 1).state
    }
  },

  history: lambda {
    {
      labels: ME.issue_label_events(PROJECT, 1).map { |one| [one.action, one.label.name] }.sort,
      states: ME.issue_state_events(PROJECT, 1).map(&:state),
      activity: ME.project_events(PROJECT, target_type: 'issue').auto_paginate.map { |one| "#{one.action_name} #{one.target_type}" }.uniq.sort,
      closings: ME.events(action: 'closed', target_type: 'issue').map(&:target_title).first(1)
    }
  },

  moves: lambda {
    old = ME.create_issue(PROJECT, 'Apples', labels: 'bug')
    moved = ME.move_issue(PROJECT, old.iid, to_project_id: OTHER)
    result = {
      moved: [moved.project_id == OTHER, moved.title, ME.issue(PROJECT, old.iid).state],
      'left behind': ME.issue(PROJECT, old.iid).moved_to_id == moved.id
    }
    ME.delete_issue(OTHER, moved.iid)
    result[:gone] = status { ME.issue(OTHER, moved.iid) }
    result
  },

  snippets: lambda {
    new = { title: 'Adder', file_name: 'sum.py', content: "1 + 1\n", visibility: 'private' }
    change = { title: 'Sum', file_name: 'sum.py', content: "2 + 2\n" }
    mine = ME.create_user_snippet(new).id
    theirs = ME.create_snippet(PROJECT, new).id
    result = {
      personal: [
        ME.edit_user_snippet(mine, change).title, ME.user_snippet(mine).file_name, ME.user_snippet_raw(mine).to_s, ME.user_snippets.map(&:id).include?(mine)
      ],
      'of a project': [
        ME.edit_snippet(PROJECT, theirs, change).title, ME.snippet(PROJECT, theirs).file_name, ME.snippet_content(PROJECT, theirs).to_s,
        ME.snippets(PROJECT).map(&:id).include?(theirs)
      ]
    }
    note = ME.create_snippet_note(PROJECT, theirs, 'Right.')
    result[:note] = [note.body, note.noteable_type]
    several = ME.create_user_snippet(
      title: 'Two', visibility: 'internal', files: [{ file_path: 'a.txt', content: 'A' }, { file_path: 'docs/b.txt', content: 'B' }]
    )
    result['several files'] = several.files.map(&:path)
    ME.delete_snippet(PROJECT, theirs)
    result[:gone] = status { ME.snippet(PROJECT, theirs) }
    result
  },

  markdown: lambda {
    path = ME.project(PROJECT).path_with_namespace
    html = ME.markdown('**#1**', gfm: true, project: path).html
    { bold: html.include?('<strong>'), link: html.include?("/#{path}/-/issues/1") }
  }
}.freeze

print_results(SUBJECTS)
