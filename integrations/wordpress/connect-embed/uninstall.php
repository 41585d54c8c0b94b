<?php
/**
 * Removes everything that the plugin has stored. Posts keep their blocks and shortcodes.
 *
 * @package ConnectEmbed
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

delete_option( 'connect_embed_server' );
delete_option( 'connect_embed_site_request' );
delete_transient( 'connect_embed_forms' );
