<?php
/**
 * The request to allow this website, sent with one click on the settings page.
 *
 * @package ConnectEmbed
 */

namespace ConnectEmbed;

defined( 'ABSPATH' ) || exit;

/** How long a request waits for approval on the server, in seconds. */
const SITE_REQUEST_LIFETIME = 30 * DAY_IN_SECONDS;

add_action( 'admin_post_connect_embed_request_site', __NAMESPACE__ . '\\handle_site_request' );

/**
 * Prints the button.
 *
 * @param string $label Text of the button.
 * @param string $style `primary` or `secondary`.
 */
function render_request_button( string $label, string $style ): void {
	?>
	<form action="<?php echo esc_url( admin_url( 'admin-post.php' ) ); ?>" method="post">
		<input type="hidden" name="action" value="connect_embed_request_site">
		<?php
		wp_nonce_field( 'connect_embed_request_site' );
		submit_button( $label, $style, 'submit', false );
		?>
	</form>
	<?php
}

/**
 * Sends the request and returns to the settings page.
 */
function handle_site_request(): void {
	if ( ! current_user_can( 'manage_options' ) ) {
		wp_die( esc_html__( 'You are not allowed to do this.', 'connect-embed' ), '', array( 'response' => 403 ) );
	}
	check_admin_referer( 'connect_embed_request_site' );
	$origin = site_origin();
	$answer = request_server( '/site-requests', array( 'origin' => $origin ) );
	if ( is_wp_error( $answer ) ) {
		add_settings_error( 'connect_embed_server', 'request_failed', esc_html( $answer->get_error_message() ) );
	} else {
		$request = array(
			'origin'  => $origin,
			'sent_at' => time(),
		);
		update_option( 'connect_embed_site_request', $request, false );
	}
	// The next page shows these messages, as after options.php.
	set_transient( 'settings_errors', get_settings_errors(), MINUTE_IN_SECONDS );
	wp_safe_redirect( add_query_arg( 'settings-updated', 'true', settings_url() ) );
	exit;
}

/**
 * Returns whether this website has asked for approval and may still get it.
 */
function is_request_pending(): bool {
	$request = get_option( 'connect_embed_site_request' );
	return is_array( $request )
		&& site_origin() === $request['origin']
		&& time() - $request['sent_at'] < SITE_REQUEST_LIFETIME;
}
