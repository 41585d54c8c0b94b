<?php
/**
 * The page that the block editor shows in a frame: the real form, on this website's own origin.
 *
 * The form is in a frame because it must not be part of the editable content: the editor would save what the
 * form adds to the page. It is not the server's own donation page, because only the script of this website
 * shows what its visitors will see.
 *
 * @package ConnectEmbed
 */

namespace ConnectEmbed;

defined( 'ABSPATH' ) || exit;

add_action( 'template_redirect', __NAMESPACE__ . '\\show_preview' );

/**
 * Returns the address of the preview without the attributes of the form.
 */
function preview_url(): string {
	return add_query_arg( 'connect_embed_preview', '1', home_url( '/' ) );
}

/**
 * Responds with the preview to people who write posts.
 */
function show_preview(): void {
	// The page changes nothing, so it needs no nonce.
	// phpcs:disable WordPress.Security.NonceVerification.Recommended
	if ( ! isset( $_GET['connect_embed_preview'] ) || ! current_user_can( 'edit_posts' ) || '' === server_url() ) {
		return;
	}
	$attributes = array();
	foreach ( array_keys( FORM_ATTRIBUTES ) as $name ) {
		if ( isset( $_GET[ $name ] ) && is_string( $_GET[ $name ] ) ) {
			$attributes[ $name ] = sanitize_text_field( wp_unslash( $_GET[ $name ] ) );
		}
	}
	// phpcs:enable
	send_frame_options_header();
	nocache_headers();
	show_admin_bar( false );
	render_preview( $attributes );
	exit;
}

/**
 * Prints the page. It is inert, so that nobody donates in the editor, and sets the height of its frame.
 *
 * @param array $attributes Attributes of the tag.
 */
function render_preview( array $attributes ): void {
	$form = render_form( $attributes );
	wp_register_script( 'connect-embed-preview', plugins_url( 'block/preview.js', PLUGIN_FILE ), array(), VERSION, true );
	?>
<!doctype html>
<html <?php language_attributes(); ?>>
<head>
	<meta charset="<?php bloginfo( 'charset' ); ?>">
	<meta name="robots" content="noindex">
	<title><?php esc_html_e( 'Preview of the donation form', 'connect-embed' ); ?></title>
	<?php wp_print_styles( 'connect-embed' ); ?>
	<style>
		body { margin: 0; padding: 2px; overflow: hidden; background: transparent; font-family: system-ui, sans-serif; }
	</style>
</head>
<body inert>
	<?php
	echo $form; // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- Escaped by render_form().
	wp_print_scripts( array( 'connect-embed', 'connect-embed-preview' ) );
	?>
</body>
</html>
	<?php
}
