# A peer: doorkeeper on Rails with its Active Record tables, as its guide sets it up (hashed secrets, refresh token
# rotation, PKCE), behind puma. It issues codes and refresh tokens under /mint, so that the flows don't need a browser.
ENV['RAILS_ENV'] ||= 'production'

require 'active_record/railtie'
require 'action_controller/railtie'
require 'doorkeeper'

# The benchmark's database is behind a socket, which libpq needs as separate parameters.
url = URI(ENV.delete('DATABASE_URL'))
DATABASE = { 'production' => {
  'adapter' => 'postgresql', 'pool' => 5, 'username' => url.user, 'password' => URI.decode_www_form_component(url.password),
  'database' => url.path.delete_prefix('/'), 'host' => URI.decode_www_form(url.query).to_h['host'], 'port' => url.port,
} }

class Peer < Rails::Application
  config.root = __dir__
  config.load_defaults 6.1
  config.eager_load = true
  config.consider_all_requests_local = false
  config.secret_key_base = 'a secret of the benchmark that guards nothing at all'
  config.logger = Logger.new(IO::NULL)
  config.hosts.clear
  config.paths['log'] = '/dev/null'
  config.define_singleton_method(:database_configuration) { DATABASE }
end

# People with bcrypt at cost 10, Devise's default. libcrypt has it, so that no gem is needed.
class Person < ActiveRecord::Base
  self.table_name = 'peer_people'

  def self.digest(password, salt = "$2b$10$#{SecureRandom.alphanumeric(21)}u")
    password.crypt(salt)
  end

  def self.authenticate(username, password)
    person = find_by(username: username)
    person if person && ActiveSupport::SecurityUtils.secure_compare(digest(password, person.encrypted_password), person.encrypted_password)
  end
end

Doorkeeper.configure do
  orm :active_record
  resource_owner_authenticator { nil }
  resource_owner_from_credentials { |_routes| Person.authenticate(params[:username], params[:password]) }
  grant_flows %w[authorization_code client_credentials password]
  use_refresh_token
  hash_token_secrets
  hash_application_secrets
  access_token_expires_in 7200
  default_scopes :api
  optional_scopes :api
  allow_token_introspection { |_token, client, _other| !client.nil? }
  base_controller 'ActionController::Base'
end

Peer.initialize!
Peer.routes.draw { use_doorkeeper { skip_controllers :applications, :authorized_applications } }

ActiveRecord::Schema.verbose = false
connection = ActiveRecord::Base.connection
unless connection.table_exists?(:oauth_applications)
  ActiveRecord::Schema.define do
    create_table :oauth_applications do |t|
      t.string :name, :uid, :secret, null: false
      t.text :redirect_uri
      t.string :scopes, null: false, default: ''
      t.boolean :confidential, null: false, default: true
      t.timestamps null: false
      t.index :uid, unique: true
    end
    create_table :oauth_access_grants do |t|
      t.references :resource_owner, :application, null: false
      t.string :token, null: false
      t.integer :expires_in, null: false
      t.text :redirect_uri, null: false
      t.datetime :created_at, null: false
      t.datetime :revoked_at
      t.string :scopes, null: false, default: ''
      t.string :code_challenge, :code_challenge_method
      t.index :token, unique: true
    end
    create_table :oauth_access_tokens do |t|
      t.references :resource_owner
      t.references :application, null: false
      t.string :token, null: false
      t.string :refresh_token
      t.integer :expires_in
      t.datetime :revoked_at
      t.datetime :created_at, null: false
      t.string :scopes
      t.string :previous_refresh_token, null: false, default: ''
      t.index :token, unique: true
      t.index :refresh_token, unique: true
    end
  end
end

unless connection.table_exists?(:peer_people)
  ActiveRecord::Schema.define do
    create_table :peer_people do |t|
      t.string :username, :encrypted_password, null: false
      t.index :username, unique: true
    end
  end
end
connection.execute('truncate peer_people')
connection.execute(<<~SQL)
  insert into peer_people (username, encrypted_password)
  select username, #{connection.quote(Person.digest(ENV.fetch('BENCH_PASSWORD')))} from users where password_hash is not null
SQL

uid, secret, redirect_uri = ENV.fetch('BENCH_APPLICATION').split(' ')
Doorkeeper::Application.where(uid: uid).delete_all
peer = Doorkeeper::Application.new(name: 'Bench', uid: uid, redirect_uri: redirect_uri, scopes: 'api')
peer.secret = Doorkeeper.config.application_secret_strategy.transform_secret(secret)
peer.save!(validate: false)
connection.pool.disconnect!

mint = lambda do |env|
  query = URI.decode_www_form(env['QUERY_STRING']).to_h
  owner = Struct.new(:id)
  made = Array.new(query['count'].to_i) do |i|
    case query['kind']
    when 'code'
      Doorkeeper::AccessGrant.create!(
        application_id: peer.id, resource_owner_id: 1 + (i % 64), expires_in: 600, redirect_uri: redirect_uri, scopes: 'api',
        code_challenge: query['challenge'], code_challenge_method: 'S256'
      ).plaintext_token
    else
      token = Doorkeeper::AccessToken.create!(
        application_id: peer.id, resource_owner_id: owner.new(1 + (i % 64)).id, expires_in: 7200, scopes: 'api', use_refresh_token: true
      )
      query['kind'] == 'refresh' ? token.plaintext_refresh_token : token.plaintext_token
    end
  end
  [200, { 'content-type' => 'application/json' }, [made.to_json]]
end

run Rack::URLMap.new(
  '/mint' => mint,
  '/favicon.ico' => ->(_env) { [204, {}, []] },
  '/' => Peer,
)
