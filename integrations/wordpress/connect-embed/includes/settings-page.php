<?php
/**
 * The page Settings › Connect Embed: address of the server, connection test, approval of this website, and
 * the forms that were found. It works without JavaScript.
 *
 * @package ConnectEmbed
 */

namespace ConnectEmbed;

defined( 'ABSPATH' ) || exit;

add_action( 'admin_menu', __NAMESPACE__ . '\\add_settings_page' );
add_filter( 'plugin_action_links_' . plugin_basename( PLUGIN_FILE ), __NAMESPACE__ . '\\add_settings_link' );

/**
 * Returns the address of the page.
 */
function settings_url(): string {
	return admin_url( 'options-general.php?page=connect-embed' );
}

/**
 * Adds the page to the menu “Settings”.
 */
function add_settings_page(): void {
	$title = __( 'Connect Embed', 'connect-embed' );
	add_options_page( $title, $title, 'manage_options', 'connect-embed', __NAMESPACE__ . '\\render_settings_page' );
}

/**
 * Adds a link to the page to the list of plugins.
 *
 * @param mixed $links Links of the plugin.
 * @return mixed
 */
function add_settings_link( $links ) {
	if ( ! is_array( $links ) ) {
		return $links;
	}
	$link = '<a href="' . esc_url( settings_url() ) . '">' . esc_html__( 'Settings', 'connect-embed' ) . '</a>';
	return array_merge( array( $link ), $links );
}

/**
 * Prints the page.
 */
function render_settings_page(): void {
	if ( ! current_user_can( 'manage_options' ) ) {
		return;
	}
	echo '<div class="wrap"><h1>' . esc_html__( 'Connect Embed', 'connect-embed' ) . '</h1>';
	render_server_form();
	if ( '' !== server_url() ) {
		$version = test_connection();
		echo '<h2>' . esc_html__( 'Connection', 'connect-embed' ) . '</h2>';
		if ( is_wp_error( $version ) ) {
			render_status( 'error', $version->get_error_message() );
		} else {
			render_status(
				'success',
				/* translators: %s: version number. */
				sprintf( __( 'Connected. The server runs Connect Embed %s.', 'connect-embed' ), $version )
			);
			render_site_status();
			render_forms();
		}
	}
	echo '</div>';
}

/**
 * Prints the form with the address of the server.
 */
function render_server_form(): void {
	$rejected = get_transient( rejected_key() );
	delete_transient( rejected_key() );
	$is_invalid = is_string( $rejected );
	?>
	<form action="options.php" method="post">
		<?php
		if ( ! may_change_server() ) {
			render_status( 'info', __( 'Only people who may install plugins can change the server. Ask the administrator of your network.', 'connect-embed' ) );
		}
		settings_fields( 'connect_embed' );
		?>
		<table class="form-table" role="presentation">
			<tr>
				<th scope="row"><label for="connect-embed-server"><?php esc_html_e( 'Server address', 'connect-embed' ); ?></label></th>
				<td>
					<input type="text" class="regular-text code" id="connect-embed-server" name="connect_embed_server"
						value="<?php echo esc_attr( $is_invalid ? $rejected : server_url() ); ?>"
						<?php wp_readonly( ! may_change_server() ); ?>
						aria-describedby="connect-embed-server-help" <?php echo $is_invalid ? 'aria-invalid="true"' : ''; ?>>
					<p class="description" id="connect-embed-server-help">
						<?php esc_html_e( 'Open a form in your Connect dashboard and copy the code from its Share page. You can paste the whole code here. The plugin sends data to this address only.', 'connect-embed' ); ?>
					</p>
				</td>
			</tr>
		</table>
		<?php
		if ( may_change_server() ) {
			submit_button( __( 'Save and test the connection', 'connect-embed' ) );
		}
		?>
	</form>
	<?php
}

/**
 * Prints whether this website may show forms, with a button that asks for it.
 */
function render_site_status(): void {
	echo '<h2>' . esc_html__( 'This website', 'connect-embed' ) . '</h2>';
	if ( ! is_site_secure() ) {
		render_status( 'error', __( 'Your website must use https://, because card data are entered on its pages. Your hosting provider can switch it on. Then change both addresses under Settings › General.', 'connect-embed' ) );
		return;
	}
	$origin  = site_origin();
	$allowed = is_site_allowed();
	if ( is_wp_error( $allowed ) ) {
		render_status( 'error', $allowed->get_error_message() );
	} elseif ( $allowed ) {
		/* translators: %s: address of this website. */
		render_status( 'success', sprintf( __( '%s is allowed to show your forms.', 'connect-embed' ), $origin ) );
	} elseif ( is_request_pending() ) {
		/* translators: %s: address of this website. */
		render_status( 'info', sprintf( __( '%s is waiting for approval. An owner or admin of your organization approves it in the Connect dashboard under “Allowed sites”. It then takes up to a minute.', 'connect-embed' ), $origin ) );
		render_request_button( __( 'Ask again', 'connect-embed' ), 'secondary' );
	} else {
		/* translators: %s: address of this website. */
		render_status( 'warning', sprintf( __( '%s is not allowed to show your forms yet.', 'connect-embed' ), $origin ) );
		render_request_button( __( 'Ask for approval', 'connect-embed' ), 'primary' );
	}
}

/**
 * Prints the forms with their shortcodes.
 */
function render_forms(): void {
	echo '<h2>' . esc_html__( 'Forms', 'connect-embed' ) . '</h2>';
	$forms = find_forms();
	if ( is_wp_error( $forms ) ) {
		render_status( 'error', $forms->get_error_message() );
		return;
	}
	if ( array() === $forms ) {
		render_status( 'info', __( 'There are no published forms. Publish one in your Connect dashboard.', 'connect-embed' ) );
		return;
	}
	?>
	<p><?php esc_html_e( 'Add the block “Donation form” to a page and choose a form, or paste a shortcode.', 'connect-embed' ); ?></p>
	<table class="widefat striped" style="max-width: 640px">
		<thead>
			<tr>
				<th scope="col"><?php esc_html_e( 'Form', 'connect-embed' ); ?></th>
				<th scope="col"><?php esc_html_e( 'Shortcode', 'connect-embed' ); ?></th>
			</tr>
		</thead>
		<tbody>
			<?php foreach ( $forms as $form ) : ?>
				<tr>
					<th scope="row"><?php echo esc_html( $form['name'] ); ?></th>
					<td><code>[connect_donate form="<?php echo esc_html( $form['slug'] ); ?>"]</code></td>
				</tr>
			<?php endforeach; ?>
		</tbody>
	</table>
	<?php
}

/**
 * Prints a status of the page.
 *
 * @param string $kind `success`, `info`, `warning` or `error`.
 * @param string $text Plain text.
 */
function render_status( string $kind, string $text ): void {
	printf( '<div class="notice inline notice-%s"><p>%s</p></div>', esc_attr( $kind ), esc_html( $text ) );
}
