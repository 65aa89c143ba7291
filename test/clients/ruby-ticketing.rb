# Makes issues of mails with Schleuder's plugin for GitLab. The environment has the gateway in GATEWAY, and an
# administrator's token in TOKEN. Prints what became of each mail, as JSON.
require 'json'
require 'mail'
require 'tempfile'
require 'schleuder-gitlab-ticketing'

settings = Tempfile.new('gitlab.yml')
settings.write({
  'gitlab' => { 'endpoint' => "#{ENV['GATEWAY']}/api/v4", 'token' => ENV['TOKEN'] },
  'subject_filters' => ['^Spam'],
  'lists' => { 'help@example.com' => { 'project' => 'Storefront', 'namespace' => 'Demo' },
               'lost@example.com' => { 'project' => 'Nothing', 'namespace' => 'Demo' } }
}.to_yaml)
settings.close
tickets = SchleuderGitlabTicketing::Config.new(settings.path)

process = lambda do |list, subject, from = 'developer@example.com'|
  mail = Mail.new(subject: subject, from: from, message_id: '<1@example.com>', body: 'Help')
  { done: tickets.process_list("#{list}@example.com", mail), subject: mail.subject }
end
opened = process.call('help', 'Printer on fire', 'stranger@example.com')
puts JSON.generate([
  opened,
  process.call('help', "Re: #{opened[:subject]}"),
  process.call('help', "Re: #{opened[:subject]} [ok]"),
  process.call('help', "Re: #{opened[:subject]}"),
  process.call('help', 'Spam'),
  process.call('lost', 'Hello')
].map { |one| one[:done] }.push(opened[:subject]))
