# frozen_string_literal: true

# Runs pipelines with ruby-gitlab in a gateway, and prints the result of each subject as JSON.
# The environment has the gateway in GATEWAY, and a token of a user in TOKEN. If a subject raises an error, that is
# its result. The subjects have the same names and results as those of the other clients.

require_relative 'ruby-subjects'

PROJECT = ME.create_project('Rb pipelines').id
CONFIGURATION = <<~YAML
  stages: [build, deploy]
  compile: { stage: build, script: make }
  ship: { stage: deploy, script: make ship, when: manual, environment: production }
YAML
HEAD = ME.create_commit(PROJECT, 'main', 'Configure [skip ci]',
                        [{ action: 'create', file_path: '.gitlab-ci.yml', content: CONFIGURATION }]).id

SUBJECTS = {
  pipelines: lambda {
    made = ME.create_pipeline(PROJECT, 'main', { NAME: 'x' })
    report = ME.pipeline_test_report(PROJECT, made.id)
    {
      made: [made.status, made.source, made.ref],
      variables: ME.get("/projects/#{PROJECT}/pipelines/#{made.id}/variables").map { |one| [one.key, one.value] },
      listed: ME.pipelines(PROJECT, source: 'api').map { |one| one.id == made.id },
      jobs: ME.pipeline_jobs(PROJECT, made.id).map(&:name),
      bridges: ME.pipeline_bridges(PROJECT, made.id).to_a,
      report: [report.total_count, report.test_suites],
      canceled: ME.cancel_pipeline(PROJECT, made.id).status,
      retried: ME.retry_pipeline(PROJECT, made.id).status,
      'no such branch': status { ME.create_pipeline(PROJECT, 'gone') },
      gone: status { ME.pipeline(PROJECT, 2_147_483_647) }
    }
  },

  jobs: lambda {
    pipeline = ME.create_pipeline(PROJECT, 'main')
    ids = ME.pipeline_jobs(PROJECT, pipeline.id).to_h { |one| [one.name, one.id] }
    job = ME.job(PROJECT, ids['compile'])
    canceled = ME.job_cancel(PROJECT, job.id)
    retried = ME.job_retry(PROJECT, job.id)
    {
      shown: [job.name, job.stage, job.status, job.tag_list],
      listed: ME.jobs(PROJECT, scope: ['canceled']).map(&:id).include?(job.id),
      canceled: canceled.status,
      retried: [retried.status, retried.id > job.id],
      log: ME.job_trace(PROJECT, job.id).to_s,
      early: status { ME.job_play(PROJECT, ids['ship']) },
      'no artifacts': status { ME.job_artifacts(PROJECT, job.id) }
    }
  },

  triggers: lambda {
    trigger = ME.create_trigger(PROJECT, 'Nightly')
    pipeline = ME.run_trigger(PROJECT, trigger.token, 'main', { NAME: 'y' })
    ME.update_trigger(PROJECT, trigger.id, description: 'Daily')
    given = ME.get("/projects/#{PROJECT}/pipelines/#{pipeline.id}/variables").to_h { |one| [one.key, one.value] }
    result = {
      made: [trigger.owner.username, trigger.token[0, 6]],
      run: [pipeline.status, pipeline.source, given['NAME']],
      changed: ME.triggers(PROJECT).map(&:description),
      'wrong token': status { ME.run_trigger(PROJECT, 'wrong', 'main') }
    }
    ME.remove_trigger(PROJECT, trigger.id)
    result[:left] = ME.triggers(PROJECT).to_a
    result
  },

  variables: lambda {
    ME.create_variable(PROJECT, 'NAME', 'x', environment_scope: '*')
    ME.update_variable(PROJECT, 'NAME', 'y')
    read = ME.variable(PROJECT, 'NAME')
    listed = ME.variables(PROJECT).map(&:key)
    ME.remove_variable(PROJECT, 'NAME')
    {
      read: [read.value, read.variable_type, read.protected, read.masked],
      listed: listed,
      gone: status { ME.variable(PROJECT, 'NAME') }
    }
  },

  schedules: lambda {
    made = ME.create_pipeline_schedule(PROJECT, description: 'Nightly', ref: 'main', cron: '0 3 * * *')
    ME.create_pipeline_schedule_variable(PROJECT, made.id, key: 'NAME', value: 'x')
    read = ME.pipeline_schedule(PROJECT, made.id)
    played = ME.post("/projects/#{PROJECT}/pipeline_schedules/#{made.id}/play")
    ME.edit_pipeline_schedule(PROJECT, made.id, description: 'Weekly')
    result = {
      made: [made.cron, made.active, made.owner.username],
      variables: read.variables.map { |one| [one['key'], one['value']] },
      played: played.message,
      changed: ME.pipeline_schedules(PROJECT).map(&:description)
    }
    ME.delete_pipeline_schedule(PROJECT, made.id)
    result[:left] = ME.pipeline_schedules(PROJECT).to_a
    result
  },

  environments: lambda {
    made = ME.create_environment(PROJECT, 'review/a', external_url: 'https://a.example.com')
    deployed = ME.post("/projects/#{PROJECT}/deployments",
                       body: { environment: 'review/a', sha: HEAD, ref: 'main', tag: false, status: 'success' })
    shown = ME.environment(PROJECT, made.id)
    early = status { ME.delete_environment(PROJECT, made.id) }
    ME.stop_environment(PROJECT, made.id)
    stopped = ME.environment(PROJECT, made.id).state
    ME.delete_environment(PROJECT, made.id)
    {
      made: [made.name, made.slug[0, 9], made.state],
      deployed: [deployed.status, deployed.ref, shown.last_deployment.sha == HEAD],
      early: early,
      stopped: stopped,
      gone: status { ME.environment(PROJECT, made.id) }
    }
  },

  runners: lambda {
    token = ME.post("/projects/#{PROJECT}/runners/reset_registration_token").token
    made = ME.register_runner(token, description: 'Builder', tag_list: %w[linux arm])
    shown = ME.runner(made.id)
    ME.verify_auth_registered_runner(made.token)
    ME.update_runner(made.id, paused: true)
    result = {
      made: [made.id == shown.id, shown.description, shown.tag_list.sort, shown.runner_type],
      'of the project': ME.project_runners(PROJECT).map(&:description),
      jobs: ME.runner_jobs(made.id).to_a,
      paused: ME.runner(made.id).paused
    }
    ME.delete_runner(made.id)
    result[:gone] = status { ME.runner(made.id) }
    result
  },

  lint: lambda {
    right = ME.get("/projects/#{PROJECT}/ci/lint")
    wrong = ME.post("/projects/#{PROJECT}/ci/lint", body: { content: 'a: { stage: nowhere, script: make }' })
    {
      'of the project': [right.valid, right.errors],
      'of a text': [wrong.valid, wrong.errors[0].include?('stage nowhere does not exist')],
      # The gem's own method asks `/lint`, which no version has.
      'of the instance': ME.post('/ci/lint', body: { content: CONFIGURATION }).status
    }
  }
}.freeze

print_results(SUBJECTS)
