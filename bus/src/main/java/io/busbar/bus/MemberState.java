package io.busbar.bus;

import io.busbar.wire.MemberRecord;

/** How a node is, as far as another one knows. */
public enum MemberState {
  /** It lives. */
  ALIVE(MemberRecord.ALIVE),
  /** It did not answer, and may still say that it lives. */
  SUSPECTED(MemberRecord.SUSPECTED),
  /** It did not answer for long. */
  DEAD(MemberRecord.DEAD),
  /** It said that it leaves. */
  LEFT(MemberRecord.LEFT);

  final int number;

  MemberState(int number) {
    this.number = number;
  }

  static MemberState of(int number) {
    return values()[number - 1];
  }

  /** Whether it is a member: a suspicion alone changes nothing. */
  public boolean isMember() {
    return this == ALIVE || this == SUSPECTED;
  }
}
