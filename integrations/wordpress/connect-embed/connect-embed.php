<?php
/**
 * Plugin Name:       Connect Embed Donation Forms
 * Description:       Shows the donation forms of your organization on your website, as a block or a shortcode.
 * Version:           0.1.0
 * Requires at least: 6.1
 * Requires PHP:      7.4
 * Author:            Connect Embed contributors
 * License:           GPL-2.0-or-later
 * License URI:       https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain:       connect-embed
 * Domain Path:       /languages
 *
 * @package ConnectEmbed
 */

namespace ConnectEmbed;

defined( 'ABSPATH' ) || exit;

const VERSION     = '0.1.0';
const PLUGIN_FILE = __FILE__;

require_once __DIR__ . '/includes/server.php';
require_once __DIR__ . '/includes/form.php';
require_once __DIR__ . '/includes/block.php';
require_once __DIR__ . '/includes/preview.php';
require_once __DIR__ . '/includes/settings.php';
require_once __DIR__ . '/includes/settings-page.php';
require_once __DIR__ . '/includes/site-request.php';

add_action(
	'init',
	static function () {
		load_plugin_textdomain( 'connect-embed', false, dirname( plugin_basename( PLUGIN_FILE ) ) . '/languages' );
	},
	1 // Before the block is registered.
);
