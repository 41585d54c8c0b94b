<?php

function sign_viewer_token(string $user): string {
    $encode = fn (string $text) => rtrim(strtr(base64_encode($text), '+/', '-_'), '=');
    $header = $encode(json_encode(['alg' => 'HS256', 'typ' => 'JWT']));
    $claims = $encode(json_encode([
        'sub' => $user,
        'components' => ['donations', 'payouts'],
        'exp' => time() + 600,
    ]));
    $signature = hash_hmac('sha256', "$header.$claims", getenv('VIEWER_SECRET'), true);
    return "$header.$claims." . $encode($signature);
}

echo sign_viewer_token('user_123'), "\n";
