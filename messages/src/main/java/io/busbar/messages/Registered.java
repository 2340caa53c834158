package io.busbar.messages;

import org.jspecify.annotations.Nullable;

/** A handler with what it does: one of the two actions. */
record Registered(
    Handler handler,
    @Nullable MessageHandler blocking,
    @Nullable ResumableHandler resumable,
    boolean waits) {}
