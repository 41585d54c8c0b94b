<?php
/**
 * Removes everything that the plugin has stored. Posts keep their blocks and shortcodes.
 *
 * @package ConnectEmbed
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/**
 * Removes what one website has stored. The transients have the ids of people in their names.
 */
function connect_embed_remove_stored(): void {
	global $wpdb;
	delete_option( 'connect_embed_server' );
	delete_option( 'connect_embed_site_request' );
	delete_transient( 'connect_embed_connection' );
	foreach ( array( '_transient_', '_transient_timeout_' ) as $prefix ) {
		$names = $wpdb->esc_like( $prefix . 'connect_embed_rejected_' ) . '%';
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name LIKE %s", $names ) ); // phpcs:ignore WordPress.DB.DirectDatabaseQuery
	}
}

if ( is_multisite() ) {
	foreach ( get_sites( array( 'fields' => 'ids', 'number' => 0 ) ) as $connect_embed_site ) {
		switch_to_blog( $connect_embed_site );
		connect_embed_remove_stored();
		restore_current_blog();
	}
} else {
	connect_embed_remove_stored();
}
