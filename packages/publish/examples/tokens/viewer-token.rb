require "json"
require "openssl"

def sign_viewer_token(user)
  encode = ->(data) { [data].pack("m0").tr("+/", "-_").delete("=") }
  header = encode.(JSON.generate(alg: "HS256", typ: "JWT"))
  claims = encode.(JSON.generate(
    sub: user,
    components: ["donations", "payouts"],
    exp: Time.now.to_i + 600,
  ))
  signature = OpenSSL::HMAC.digest("SHA256", ENV.fetch("VIEWER_SECRET"), "#{header}.#{claims}")
  "#{header}.#{claims}.#{encode.(signature)}"
end

puts sign_viewer_token("user_123")
