# frozen_string_literal: true

# What the scripts for ruby-gitlab share: a subject is a lambda whose result is printed as JSON, or its error.

require 'gitlab'
require 'json'

def client(token, **more)
  Gitlab.client(endpoint: "#{ENV.fetch('GATEWAY')}/api/v4", private_token: token, **more)
end

ME = client(ENV.fetch('TOKEN'))

# The status of the answer that the client takes for an error.
def status
  yield
  nil
rescue Gitlab::Error::ResponseError => e
  e.response_status
end

# Asks until something is so, for at most half a minute.
def wait_for
  300.times do
    found = yield
    return found if found

    sleep 0.1
  end
  nil
end

# Works through the subjects: each goes on where the one before it ended.
def print_results(subjects)
  results = subjects.transform_values do |subject|
    subject.call
  rescue StandardError => e
    e.full_message(highlight: false)
  end
  puts JSON.generate(results)
end
