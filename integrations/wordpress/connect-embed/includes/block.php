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
	if ( $description['connected'] ) {
		$forms   = find_forms();
		$allowed = is_site_allowed();
		if ( is_wp_error( $forms ) ) {
			// Without a list, people enter the name of the form.
			$description['problem'] = 'forms_not_listed' === $forms->get_error_code() ? '' : $forms->get_error_message();
		} else {
			$description['forms'] = $forms;
		}
		// Unknown counts as allowed: the preview itself then says what is wrong.
		$description['allowed'] = false !== $allowed;
	}
	return new WP_REST_Response( $description );
}
