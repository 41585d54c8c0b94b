<?php
/**
 * The block “Donation form”, and what its editor needs to know.
 *
 * @package ConnectEmbed
 */

namespace ConnectEmbed;

use WP_REST_Response;

defined( 'ABSPATH' ) || exit;

add_action( 'init', __NAMESPACE__ . '\\register_form_block' );
add_action( 'rest_api_init', __NAMESPACE__ . '\\register_editor_route' );

/**
 * Registers the block and its script for the editor.
 */
function register_form_block(): void {
	$dependencies = array( 'wp-api-fetch', 'wp-block-editor', 'wp-blocks', 'wp-components', 'wp-element', 'wp-i18n', 'wp-url' );
	wp_register_script( 'connect-embed-editor', plugins_url( 'block/editor.js', PLUGIN_FILE ), $dependencies, VERSION, true );
	wp_set_script_translations( 'connect-embed-editor', 'connect-embed', plugin_dir_path( PLUGIN_FILE ) . 'languages' );
	register_block_type(
		plugin_dir_path( PLUGIN_FILE ) . 'block',
		array( 'render_callback' => __NAMESPACE__ . '\\render_block' )
	);
}

/**
 * Renders the block on a page.
 *
 * @param array $attributes Attributes of the block.
 */
function render_block( array $attributes ): string {
	// Nobody has chosen a form yet; the server's form without a name is not meant.
	if ( '' === trim( (string) ( $attributes['form'] ?? '' ) ) ) {
		return '';
	}
	$form = render_form(
		array(
			'form'    => $attributes['form'] ?? '',
			'display' => $attributes['display'] ?? '',
			'locale'  => $attributes['language'] ?? '',
		)
	);
	return '' === $form ? '' : '<div ' . get_block_wrapper_attributes() . '>' . $form . '</div>';
}

/**
 * Registers `GET /connect-embed/v1/editor` for people who write posts.
 */
function register_editor_route(): void {
	register_rest_route(
		'connect-embed/v1',
		'/editor',
		array(
			'methods'             => 'GET',
			'callback'            => __NAMESPACE__ . '\\describe_for_editor',
			'permission_callback' => static function () {
				return current_user_can( 'edit_posts' );
			},
		)
	);
}

/**
 * Returns the forms to choose from, and what keeps the preview from appearing.
 */
function describe_for_editor(): WP_REST_Response {
	$settings_url = current_user_can( 'manage_options' ) ? settings_url() : '';
	$description  = array(
		'connected'   => '' !== server_url(),
		'forms'       => array(),
		'problem'     => '',
		'allowed'     => true,
		'settingsUrl' => $settings_url,
		'previewUrl'  => preview_url(),
	);
	return new WP_REST_Response( $description['connected'] ? array_merge( $description, describe_connection() ) : $description );
}

/**
 * Returns what the server says: `forms`, `problem` and `allowed`. It is stored for a minute, so that the
 * editor does not wait for a server that cannot be reached each time.
 */
function describe_connection(): array {
	$stored = get_transient( 'connect_embed_connection' );
	if ( is_array( $stored ) && server_url() === $stored['server'] ) {
		return $stored['connection'];
	}
	$forms      = find_forms();
	$is_listed  = ! is_wp_error( $forms );
	$is_failing = ! $is_listed && 'forms_not_listed' !== $forms->get_error_code();
	$connection = array(
		// Without a list, people enter the name of the form.
		'forms'   => $is_listed ? $forms : array(),
		'problem' => $is_failing ? $forms->get_error_message() : '',
		// Unknown counts as allowed: the preview itself then says what is wrong.
		'allowed' => $is_failing || false !== is_site_allowed(),
	);
	$stored     = array(
		'server'     => server_url(),
		'connection' => $connection,
	);
	set_transient( 'connect_embed_connection', $stored, MINUTE_IN_SECONDS );
	return $connection;
}
