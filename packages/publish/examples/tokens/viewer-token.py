import base64
import hashlib
import hmac
import json
import os
import time


def sign_viewer_token(user: str) -> str:
    def encode(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    header = encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    claims = encode(
        json.dumps(
            {
                "sub": user,
                "components": ["donations", "payouts"],
                "exp": int(time.time()) + 600,
            }
        ).encode()
    )
    secret = os.environ["VIEWER_SECRET"].encode()
    signature = hmac.digest(secret, f"{header}.{claims}".encode(), hashlib.sha256)
    return f"{header}.{claims}.{encode(signature)}"


print(sign_viewer_token("user_123"))
