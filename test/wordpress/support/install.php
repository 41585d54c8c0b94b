<?php
/**
 * Installs WordPress: php install.php <folder> <password>. Creates an administrator, and an editor without
 * unfiltered_html.
 *
 * @package ConnectEmbed
 */

define( 'WP_INSTALLING', true );
$_SERVER['HTTP_HOST'] = 'localhost';
require $argv[1] . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';

// No mail server is needed.
add_filter( 'pre_wp_mail', '__return_true' );
wp_install( 'Harbor Street Food Bank', 'admin', 'admin@example.org', true, '', $argv[2] );
wp_insert_user(
	array(
		'user_login' => 'editor',
		'user_email' => 'editor@example.org',
		'user_pass'  => $argv[2],
		'role'       => 'editor',
	)
);
get_role( 'editor' )->remove_cap( 'unfiltered_html' );
