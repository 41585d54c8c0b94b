<?php
/**
 * Calls each filter callback of the plugin with null, as another plugin by mistake makes WordPress do:
 * php pass-null-to-filters.php <folder>. Prints what each one returns.
 *
 * @package ConnectEmbed
 */

$_SERVER['HTTP_HOST'] = 'localhost';
require $argv[1] . '/wp-load.php';

$results = array();
foreach ( $GLOBALS['wp_filter'] as $hook ) {
	foreach ( array_merge( ...$hook->callbacks ) as $callback ) {
		$name = $callback['function'];
		if ( ! is_string( $name ) || 0 !== strpos( $name, 'ConnectEmbed\\' ) ) {
			continue;
		}
		$parameters = ( new ReflectionFunction( $name ) )->getNumberOfParameters();
		// Callbacks of actions have no parameters.
		if ( $parameters > 0 ) {
			$results[ $name ] = $name( ...array_fill( 0, $parameters, null ) );
		}
	}
}
echo wp_json_encode( $results );
