<?php
/**
 * Requests to the Connect Embed server, the only address to which this plugin sends anything.
 *
 * @package ConnectEmbed
 */

namespace ConnectEmbed;

use WP_Error;

defined( 'ABSPATH' ) || exit;

/** Timeout of a request in seconds. A page of the dashboard waits for it. */
const REQUEST_TIMEOUT = 8;

/**
 * Returns the address of the server without a final slash; empty until an administrator has entered it.
 */
function server_url(): string {
	return (string) get_option( 'connect_embed_server', '' );
}

/**
 * Returns whether a host is this machine itself, where TLS is not needed.
 *
 * @param string $host Host in lower case, without a port.
 */
function is_loopback( string $host ): bool {
	return '127.0.0.1' === $host || 1 === preg_match( '/(^|\.)localhost$/', $host );
}

/**
 * Sends a request to the server and returns the JSON of its response.
 *
 * @param string     $path Path below the server's address.
 * @param array|null $body Body of a POST; null for a GET.
 * @return array|WP_Error The error has a message for people.
 */
function request_server( string $path, ?array $body = null ) {
	$options = array(
		'timeout'             => REQUEST_TIMEOUT,
		'redirection'         => 0,
		'limit_response_size' => MB_IN_BYTES,
		'headers'             => array( 'Accept' => 'application/json' ),
	);
	if ( null !== $body ) {
		$options['method']                  = 'POST';
		$options['headers']['Content-Type'] = 'application/json';
		$options['body']                    = wp_json_encode( $body );
	}
	// Addresses of the website's own network are not asked, except on the machine of a developer.
	$is_local = is_loopback( (string) wp_parse_url( server_url(), PHP_URL_HOST ) );
	$response = $is_local ? wp_remote_request( server_url() . $path, $options ) : wp_safe_remote_request( server_url() . $path, $options );
	if ( is_wp_error( $response ) ) {
		return new WP_Error(
			'connect_embed_unreachable',
			/* translators: %s: technical reason, in English. */
			sprintf( __( 'The server cannot be reached: %s', 'connect-embed' ), $response->get_error_message() )
		);
	}
	$data = json_decode( wp_remote_retrieve_body( $response ), true );
	if ( ! is_array( $data ) ) {
		return new WP_Error( 'connect_embed_no_server', __( 'There is no Connect Embed server at this address.', 'connect-embed' ) );
	}
	if ( 200 !== wp_remote_retrieve_response_code( $response ) ) {
		$code    = $data['error']['code'] ?? 'connect_embed_error';
		$message = $data['error']['message'] ?? __( 'There is no Connect Embed server at this address.', 'connect-embed' );
		return new WP_Error( (string) $code, (string) $message );
	}
	return $data;
}

/**
 * Checks that there is a Connect Embed server at the address.
 *
 * @return string|WP_Error The version of the server.
 */
function test_connection() {
	$health = request_server( '/healthz' );
	if ( is_wp_error( $health ) ) {
		return $health;
	}
	if ( 'connect-embed-server' !== ( $health['service'] ?? '' ) ) {
		return new WP_Error( 'connect_embed_no_server', __( 'There is no Connect Embed server at this address.', 'connect-embed' ) );
	}
	return (string) ( $health['version'] ?? '' );
}

/**
 * Returns the live forms of the organization.
 *
 * @return array[]|WP_Error Each form has `slug` and `name`.
 */
function find_forms() {
	$list = request_server( '/forms' );
	if ( is_wp_error( $list ) ) {
		return 'forms_not_listed' === $list->get_error_code()
			? new WP_Error( 'forms_not_listed', __( 'Your server does not list its forms. The name of a form is in its code on the Share page.', 'connect-embed' ) )
			: $list;
	}
	$forms = array();
	foreach ( (array) ( $list['data'] ?? array() ) as $form ) {
		if ( isset( $form['slug'], $form['name'] ) && is_string( $form['slug'] ) && is_string( $form['name'] ) ) {
			$forms[] = array(
				'slug' => $form['slug'],
				'name' => $form['name'],
			);
		}
	}
	return $forms;
}

/**
 * Returns the origin of this website as browsers send it.
 */
function site_origin(): string {
	$url    = wp_parse_url( home_url() );
	$scheme = strtolower( $url['scheme'] ?? 'https' );
	$host   = strtolower( $url['host'] ?? '' );
	if ( function_exists( 'idn_to_ascii' ) ) {
		$ascii = idn_to_ascii( $host );
		$host  = false === $ascii ? $host : $ascii;
	}
	$port       = $url['port'] ?? null;
	$is_default = null === $port || ( 'https' === $scheme ? 443 : 80 ) === $port;
	return $scheme . '://' . $host . ( $is_default ? '' : ':' . $port );
}

/**
 * Returns whether pages of this website have a form: browsers take card data on secure pages only.
 */
function is_site_secure(): bool {
	$origin = site_origin();
	return 0 === strpos( $origin, 'https://' ) || is_loopback( (string) wp_parse_url( $origin, PHP_URL_HOST ) );
}

/**
 * Asks the server whether this website may show forms.
 *
 * @return bool|WP_Error
 */
function is_site_allowed() {
	$answer = request_server( '/site-requests?origin=' . rawurlencode( site_origin() ) );
	return is_wp_error( $answer ) ? $answer : true === ( $answer['allowed'] ?? false );
}
