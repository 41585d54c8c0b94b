<?php
/**
 * The form on pages: the tag, its script, the shortcode, and the tag in Custom HTML.
 *
 * @package ConnectEmbed
 */

namespace ConnectEmbed;

defined( 'ABSPATH' ) || exit;

/**
 * Attributes of the tag that authors may set, with the accepted values; null accepts any text.
 *
 * `server` is not one of them: an author without unfiltered_html could show a form of somebody else.
 */
const FORM_ATTRIBUTES = array(
	'form'      => null,
	'display'   => array( 'inline', 'button', 'sticky' ),
	'locale'    => null,
	'theme'     => array( 'auto', 'light', 'dark' ),
	'amount'    => null,
	'frequency' => array( 'one_time', 'monthly', 'quarterly', 'yearly' ),
	'fund'      => null,
);

add_action( 'init', __NAMESPACE__ . '\\register_form_assets' );
add_filter( 'script_loader_tag', __NAMESPACE__ . '\\load_as_module', 10, 2 );
add_shortcode( 'connect_donate', __NAMESPACE__ . '\\render_shortcode' );
add_filter( 'wp_kses_allowed_html', __NAMESPACE__ . '\\allow_form_tag', 10, 2 );
add_filter( 'the_content', __NAMESPACE__ . '\\load_form_assets_for_tag' );
add_filter( 'render_block_core/html', __NAMESPACE__ . '\\load_form_assets_for_tag' );

/**
 * Registers script and style. They are enqueued only where a form is rendered.
 */
function register_form_assets(): void {
	if ( '' === server_url() ) {
		return;
	}
	// No version: the address always serves the release of the server, with its own caching.
	wp_register_script( 'connect-embed', server_url() . '/connect.js', array(), null, true ); // phpcs:ignore WordPress.WP.EnqueuedResourceParameters.MissingVersion
	wp_register_style( 'connect-embed', plugins_url( 'form.css', PLUGIN_FILE ), array(), VERSION );
}

/**
 * Enqueues script and style, once for each page.
 */
function load_form_assets(): void {
	wp_enqueue_script( 'connect-embed' );
	wp_enqueue_style( 'connect-embed' );
}

/**
 * Makes the script a module, and asks optimizers to leave it where it is: Cloudflare's Rocket Loader, Autoptimize,
 * LiteSpeed Cache and WP Rocket. A copy of it elsewhere would have to find its parts. As in all callbacks of filters, the parameters have no types, because a type
 * would end the page if another plugin passes something else.
 *
 * @param mixed $tag    The script tag.
 * @param mixed $handle Handle of the script.
 * @return mixed
 */
function load_as_module( $tag, $handle ) {
	if ( 'connect-embed' !== $handle || ! is_string( $tag ) ) {
		return $tag;
	}
	$untyped = preg_replace( '/\stype=(["\']).*?\1/', '', $tag );
	return str_replace( '<script ', '<script type="module" data-cfasync="false" data-noptimize="1" data-no-optimize="1" nowprocket ', $untyped );
}

/**
 * Renders a form and enqueues its script.
 *
 * @param array $attributes Attributes of the tag. Unknown ones and invalid values are ignored.
 * @return string HTML. Without a server only people who can change that see anything.
 */
function render_form( array $attributes ): string {
	if ( '' === server_url() ) {
		return current_user_can( 'manage_options' )
			? '<p>' . esc_html__( 'The donation form appears here when you have entered the address of your server under Settings › Connect Embed. Only you see this text.', 'connect-embed' ) . '</p>'
			: '';
	}
	load_form_assets();
	$html = '<connect-donate';
	foreach ( known_attributes( $attributes ) as $name => $value ) {
		$html .= ' ' . $name . '="' . esc_attr( $value ) . '"';
	}
	return $html . '>' . link_without_script( $attributes['form'] ?? '' ) . '</connect-donate>';
}

/**
 * Keeps the attributes of the tag that have a valid value. The form looks like the theme by default.
 *
 * @param array $attributes Attributes as an author has set them.
 * @return string[]
 */
function known_attributes( array $attributes ): array {
	$known = array();
	foreach ( FORM_ATTRIBUTES as $name => $values ) {
		$value = trim( (string) ( $attributes[ $name ] ?? '' ) );
		if ( '' !== $value && ( null === $values || in_array( $value, $values, true ) ) ) {
			$known[ $name ] = $value;
		}
	}
	return $known + array( 'theme' => 'auto' );
}

/**
 * Renders the link to the donation page, which visitors without JavaScript see.
 *
 * @param string $form Name of the form.
 */
function link_without_script( string $form ): string {
	$url = server_url() . '/give/' . rawurlencode( '' === $form ? 'default' : $form );
	return '<a href="' . esc_url( $url ) . '">' . esc_html__( 'Donate', 'connect-embed' ) . '</a>';
}

/**
 * Renders `[connect_donate form="meals" display="button" language="de"]`.
 *
 * @param array|string $attributes Attributes of the shortcode; an empty string without any.
 */
function render_shortcode( $attributes ): string {
	$names              = array_keys( FORM_ATTRIBUTES );
	$defaults           = array_fill_keys( array_merge( $names, array( 'language' ) ), '' );
	$attributes         = shortcode_atts( $defaults, $attributes, 'connect_donate' );
	$attributes['locale'] = '' === $attributes['locale'] ? $attributes['language'] : $attributes['locale'];
	return render_form( $attributes );
}

/**
 * Lets people without unfiltered_html keep the tag in Custom HTML. Scripts stay forbidden: the plugin
 * loads the script itself.
 *
 * @param mixed $tags    Allowed tags with their attributes.
 * @param mixed $context Where the HTML is used.
 * @return mixed
 */
function allow_form_tag( $tags, $context ) {
	if ( 'post' === $context && is_array( $tags ) ) {
		$tags['connect-donate'] = array_fill_keys( array_keys( FORM_ATTRIBUTES ), true );
	}
	return $tags;
}

/**
 * Loads the script for a tag that an author has written as HTML.
 *
 * @param mixed $html HTML of a post or of a Custom HTML block.
 * @return mixed
 */
function load_form_assets_for_tag( $html ) {
	if ( is_string( $html ) && false !== strpos( $html, '<connect-donate' ) ) {
		load_form_assets();
	}
	return $html;
}
