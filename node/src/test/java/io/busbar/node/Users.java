package io.busbar.node;

import java.lang.reflect.Proxy;

/** Users of lanes who do little. */
final class Users {
  private Users() {}

  /** Hears nothing. */
  static LaneUser deaf() {
    return hears("", () -> {});
  }

  /** Hears when one of {@link LaneUser}'s methods is called, and leaves all as it is. */
  static LaneUser hears(String method, Runnable action) {
    return (LaneUser)
        Proxy.newProxyInstance(
            LaneUser.class.getClassLoader(),
            new Class<?>[] {LaneUser.class},
            (self, called, arguments) -> {
              if (called.getName().equals(method)) {
                action.run();
              }
              return null;
            });
  }
}
