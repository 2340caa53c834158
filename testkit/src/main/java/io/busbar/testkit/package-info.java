/**
 * What the tests of several rooms use. No room depends on it but for its tests, and it knows none
 * of them. It stands on the class path, as JUnit does, so that no room's module names it.
 */
@NullMarked
package io.busbar.testkit;

import org.jspecify.annotations.NullMarked;
