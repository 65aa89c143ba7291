# frozen_string_literal: true

# Runs ruby-gitlab against a gateway, and prints the result of each subject as JSON.
# The environment has the gateway in GATEWAY, and tokens of a user and an administrator
# in TOKEN and ADMINISTRATOR_TOKEN. If a subject raises an error, that is its result.

require_relative 'ruby-subjects'

ADMINISTRATOR = client(ENV.fetch('ADMINISTRATOR_TOKEN'))

# The class, status and message of the error.
def refusal
  yield
  nil
rescue Gitlab::Error::ResponseError => e
  [e.class.name, e.response_status, e.message[/message: (.*)\. Request URI/, 1]]
end

def user_named(name)
  ADMINISTRATOR.users(username: name).first
end

SUBJECTS = {
  who: lambda {
    { user: ME.user.username, version: ME.version.version, emails: ME.emails.map(&:email), stranger: refusal { client('garbage').user } }
  },

  groups: lambda {
    firm = ME.create_group('The Firm', 'rb-firm', visibility: 'internal')
    team = ME.create_group('Team', 'team', parent_id: firm.id)
    ME.create_group('Squad', 'squad', parent_id: team.id)
    result = {
      listed: ME.groups(search: 'rb-firm', per_page: 1).auto_paginate.map(&:full_path),
      found: ME.group_search('rb-firm').map(&:full_path),
      subgroups: ME.group_subgroups('rb-firm').map(&:full_path),
      taken: refusal { ME.create_group('Firm', 'RB-FIRM') },
      edited: ME.edit_group(team.id, name: 'Crew').full_name
    }
    ME.create_project('Shop', namespace_id: team.id)
    result[:projects] = ME.group_projects('rb-firm/team').map(&:path_with_namespace)
    result[:one] = ME.group('rb-firm/team').projects.length
    ME.delete_group(team.id)
    result[:gone] = refusal { ME.group('rb-firm/team/squad') }
    result
  },

  projects: lambda {
    made = (0...5).map { |number| ME.create_project("Gem #{number}") }
    project = made.first
    mine = { owned: true, search: 'gem', order_by: 'id', sort: 'asc', per_page: 2 }
    fork = ME.create_fork(project.id, path: 'gem-fork')
    result = {
      paged: ME.projects(mine).auto_paginate.map(&:id) == (made.map(&:id) + [fork.id]),
      keyset: ME.projects(mine.merge(pagination: 'keyset')).auto_paginate.map(&:id) == (made.map(&:id) + [fork.id]),
      found: ME.project_search('gem-3').map(&:name),
      one: ME.project(project.path_with_namespace).id == project.id,
      starred: [ME.star_project(project.id).star_count, ME.user_starred_projects('maintainer').map(&:id) == [project.id]],
      # This client still sends version 3's call.
      'star taken back': refusal { ME.unstar_project(project.id) },
      unstarred: ME.post("/projects/#{project.id}/unstar").star_count,
      edited: ME.edit_project(project.id, description: 'Changed', visibility: 'internal').visibility,
      archived: ME.archive_project(project.id).archived,
      unarchived: ME.unarchive_project(project.id).archived,
      forks: ME.project_forks(project.id).map(&:path_with_namespace),
      'of a person': ME.user_projects('maintainer').auto_paginate.map(&:id).include?(project.id),
      'for a person': ADMINISTRATOR.create_project('Rb for a guest', user_id: user_named('guest').id).path_with_namespace
    }
    ME.remove_forked(fork.id)
    result[:tied] = ME.make_forked_from(fork.id, made[1].id).forked_from_project.id == made[1].id
    result[:deleted] = ME.delete_project(fork.id).message
    result[:gone] = refusal { ME.project(fork.id) }
    result
  },

  members: lambda {
    group = ME.create_group('Rb crew', 'rb-crew')
    project = ME.create_project('Boat', namespace_id: group.id)
    developer = user_named('developer')
    guest = user_named('guest')
    result = {
      'in a group': ME.add_group_member(group.id, developer.id, 30).username,
      'twice in a group': refusal { ME.add_group_member(group.id, developer.id, 30) },
      'edited in a group': ME.edit_group_member(group.id, developer.id, 20).access_level,
      'of a group': ME.group_members(group.id, per_page: 1).auto_paginate.map(&:username),
      'one of a group': ME.group_member(group.id, developer.id).access_level,
      'in a project': ME.add_team_member(project.id, guest.id, 30, expires_at: '2999-01-01').expires_at,
      'twice in a project': refusal { ME.add_team_member(project.id, guest.id, 30) },
      'edited in a project': ME.edit_team_member(project.id, guest.id, 20).access_level,
      'of a project': ME.team_members(project.id).map(&:username),
      'all of a project': ME.all_members(project.id, per_page: 1).auto_paginate.map(&:username),
      'one of a project': ME.team_member(project.id, guest.id).access_level
    }
    ME.remove_team_member(project.id, guest.id)
    ME.remove_group_member(group.id, developer.id)
    result[:gone] = [refusal { ME.team_member(project.id, guest.id) }, refusal { ME.group_member(group.id, developer.id) }]
    result
  },

  namespaces: -> { { listed: ME.namespaces.auto_paginate.map(&:full_path).include?('maintainer') } },

  users: lambda {
    person = ADMINISTRATOR.create_user('rb@example.com', 'a long pass phrase of Rb', 'rb-person', name: 'Rb', skip_confirmation: true)
    result = {
      found: ADMINISTRATOR.user_search('rb@example.com').map(&:username),
      one: ADMINISTRATOR.user(person.id).name,
      taken: refusal { ADMINISTRATOR.create_user('rb@example.com', 'another long phrase', 'other', name: 'O') },
      'not allowed': refusal { ME.create_user('no@example.com', 'another long phrase', 'no', name: 'N') },
      edited: ADMINISTRATOR.edit_user(person.id, name: 'Rb the Second').name,
      sudo: client(ENV.fetch('ADMINISTRATOR_TOKEN'), sudo: 'rb-person').user.username
    }
    # The library keeps this setting for all clients.
    ADMINISTRATOR.request_defaults
    email = ADMINISTRATOR.add_email('rb.second@example.com', person.id, true)
    result[:emails] = ADMINISTRATOR.emails(person.id).map(&:email)
    ADMINISTRATOR.delete_email(email.id, person.id)
    result[:blocked] = [ADMINISTRATOR.block_user(person.id), ADMINISTRATOR.user(person.id).state]
    result[:unblocked] = [ADMINISTRATOR.unblock_user(person.id), ADMINISTRATOR.user(person.id).state]
    ADMINISTRATOR.delete_user(person.id)
    result[:gone] = refusal { ADMINISTRATOR.user(person.id) }
    result
  },

  # Saves each attribute alone. Returns, for each kind of record, the attributes that read back another value.
  attributes: lambda {
    group = ME.create_group('Rb kept', 'rb-kept').id
    project = ME.create_project('Kept', namespace_id: group).id
    person = ADMINISTRATOR.create_user('rb-kept@example.com', 'a long pass phrase of Rb', 'rb-kept-person', name: 'Kept', skip_confirmation: true).id
    kept = {
      user: [
        { bio: 'B', location: 'L', linkedin: 'li', twitter: 'tw', website_url: 'https://example.com', organization: 'O', job_title: 'J', note: 'N',
          pronouns: 'they', projects_limit: 7, theme_id: 2, color_scheme_id: 2, can_create_group: true, private_profile: true },
        ->(change) { ADMINISTRATOR.edit_user(person, change) }, -> { ADMINISTRATOR.user(person) }
      ],
      group: [
        { description: 'D', project_creation_level: 'noone', subgroup_creation_level: 'owner', two_factor_grace_period: 5, share_with_group_lock: true,
          require_two_factor_authentication: true, emails_disabled: true, mentions_disabled: true, auto_devops_enabled: true },
        ->(change) { ME.edit_group(group, change) }, -> { ME.group(group) }
      ],
      project: [
        { description: 'D', merge_method: 'ff', squash_option: 'always', build_timeout: 1800, ci_config_path: '.ci.yml', topics: ['snakes'],
          issues_access_level: 'private', wiki_access_level: 'disabled', suggestion_commit_message: 'S',
          only_allow_merge_if_pipeline_succeeds: true, only_allow_merge_if_all_discussions_are_resolved: true, allow_merge_on_skipped_pipeline: true },
        ->(change) { ME.edit_project(project, change) }, -> { ME.project(project) }
      ]
    }
    kept.transform_values do |(values, save, read)|
      values.each { |name, value| save.call(name => value) }
      again = read.call.to_h
      values.reject { |name, value| again[name.to_s] == value }.keys
    end
  },

  templates: lambda {
    {
      dockerfiles: ME.dockerfile_templates.any? && !ME.dockerfile_template('Golang').content.empty?,
      gitignores: ME.gitignore_templates.any? && !ME.gitignore_template('Ruby').content.empty?,
      'gitlab ci ymls': ME.gitlab_ci_yml_templates.any? && !ME.gitlab_ci_yml_template('Python').content.empty?,
      licenses: ME.license_templates(popular: true).any? && ME.license_template('mit', fullname: 'Jane').content.include?('Jane')
    }
  }
}.freeze

print_results(SUBJECTS)
