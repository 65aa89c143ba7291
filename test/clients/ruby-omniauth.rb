# Signs a user in with OmniAuth's strategy for GitLab, in a Rack application. The environment has the gateway in
# GATEWAY, and the application in CLIENT_ID, CLIENT_SECRET and CALLBACK. Prints each link to open as a line of JSON, and
# reads the address that the browser was redirected to as a line. Its last line of JSON is the result.
require 'json'
require 'logger'
require 'rack'
require 'rack/mock'
require 'omniauth-gitlab'

OmniAuth.config.logger = Logger.new(File::NULL)
callback = ENV['CALLBACK']
site = Rack::Builder.new do
  use Rack::Session::Cookie, secret: 'a secret of the site' * 4
  use OmniAuth::Builder do
    provider :gitlab, ENV['CLIENT_ID'], ENV['CLIENT_SECRET'],
             client_options: { site: ENV['GATEWAY'] }, redirect_url: callback, scope: 'read_user',
             callback_path: URI(callback).path
  end
  run(lambda do |env|
    signed_in = env['omniauth.auth']
    text = signed_in ? signed_in.to_json : Rack::Protection::AuthenticityToken.token(env['rack.session'])
    [200, { 'content-type' => 'text/plain' }, [text]]
  end)
end
browser = Rack::MockRequest.new(site.to_app)

start = browser.get('/')
cookie = start['set-cookie'][/[^;]+/]
redirect = browser.post('/auth/gitlab', 'HTTP_COOKIE' => cookie, params: { authenticity_token: start.body })
cookie = redirect['set-cookie'][/[^;]+/]
puts JSON.generate(open: redirect['location'])
$stdout.flush
answer = browser.get(URI(gets.chomp).request_uri, 'HTTP_COOKIE' => cookie)
signed_in = JSON.parse(answer.body)
puts JSON.generate(provider: signed_in['provider'], uid: signed_in['uid'], info: signed_in['info'],
                   raw: signed_in['extra']['raw_info'].keys & %w[id username state web_url])
