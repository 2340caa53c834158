package io.busbar.messages;

/**
 * A handler that is registered.
 *
 * @param number the same on every node
 * @param name for people
 * @param action what is done with a message
 */
public record Handler(int number, String name, MessageHandler action) {}
