<?php
/**
 * The only setting: the address of the server.
 *
 * @package ConnectEmbed
 */

namespace ConnectEmbed;

defined( 'ABSPATH' ) || exit;

add_action( 'admin_init', __NAMESPACE__ . '\\register_settings' );
add_action( 'admin_init', __NAMESPACE__ . '\\suggest_privacy_text' );
add_filter( 'option_page_capability_connect_embed', __NAMESPACE__ . '\\server_capability' );
add_action( 'update_option_connect_embed_server', __NAMESPACE__ . '\\forget_old_server' );

/**
 * Registers the setting.
 */
function register_settings(): void {
	register_setting(
		'connect_embed',
		'connect_embed_server',
		array(
			'type'              => 'string',
			'sanitize_callback' => __NAMESPACE__ . '\\sanitize_server',
			'default'           => '',
			'show_in_rest'      => false,
		)
	);
}

/**
 * Returns whether this person may change the server, whose script runs on every page with a form: only
 * people who could also add a script in another way. Site administrators of a network cannot.
 */
function may_change_server(): bool {
	return current_user_can( 'manage_options' )
		&& ( current_user_can( 'unfiltered_html' ) || current_user_can( 'install_plugins' ) );
}

/**
 * Returns the capability that saves the settings.
 */
function server_capability(): string {
	return may_change_server() ? 'manage_options' : 'do_not_allow';
}

/**
 * Deletes what was stored about the server before.
 */
function forget_old_server(): void {
	delete_transient( 'connect_embed_connection' );
	delete_option( 'connect_embed_site_request' );
}

/**
 * Returns the address of a server that an administrator has entered: the address itself, the address of its
 * script or of a donation page, or the whole code from the Share page.
 *
 * An invalid address is reported at the field, and the setting stays as it was.
 *
 * @param mixed $input Value of the field.
 */
function sanitize_server( $input ): string {
	$text = trim( is_string( $input ) ? $input : '' );
	if ( '' === $text ) {
		return '';
	}
	$url = parse_server( $text );
	if ( null !== $url ) {
		return $url;
	}
	add_settings_error(
		'connect_embed_server',
		'invalid',
		__( 'Enter an address that starts with https://, such as https://giving.example.org.', 'connect-embed' )
	);
	// The page shows again what was entered.
	set_transient( rejected_key(), sanitize_text_field( $text ), MINUTE_IN_SECONDS );
	return server_url();
}

/**
 * Finds the address of the server in a text.
 *
 * @param string $text What an administrator has entered.
 * @return string|null Without a final slash; null if it is not an address.
 */
function parse_server( string $text ): ?string {
	if ( preg_match( '/\bsrc=["\']([^"\']+)/', $text, $source ) ) {
		$text = $source[1];
	}
	if ( ! preg_match( '#^[a-z]+://#i', $text ) ) {
		$text = 'https://' . $text;
	}
	$url  = wp_parse_url( $text );
	$host = strtolower( $url['host'] ?? '' );
	if ( ! $url || ! preg_match( '/^[a-z0-9.-]+$/', $host ) || isset( $url['user'] ) ) {
		return null;
	}
	$scheme = strtolower( $url['scheme'] );
	if ( 'https' !== $scheme && ! ( 'http' === $scheme && is_loopback( $host ) ) ) {
		return null;
	}
	$port = isset( $url['port'] ) ? ':' . $url['port'] : '';
	$path = preg_replace( '#/(connect\.js|embed/[^/]*|give/[^/]*)?$#', '', $url['path'] ?? '' );
	return esc_url_raw( $scheme . '://' . $host . $port . $path );
}

/**
 * Returns the name of the transient with the invalid address that this person has entered.
 */
function rejected_key(): string {
	return 'connect_embed_rejected_' . get_current_user_id();
}

/**
 * Suggests a text for the privacy policy of the website.
 */
function suggest_privacy_text(): void {
	wp_add_privacy_policy_content(
		'Connect Embed',
		wp_kses_post(
			'<p>' . __( 'Pages with a donation form load it from the server of our donation service. What you enter in the form, and your card data, are sent to that server and to our card processor, and not to this website.', 'connect-embed' ) . '</p>'
		)
	);
}
