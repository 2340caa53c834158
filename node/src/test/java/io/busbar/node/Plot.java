package io.busbar.node;

/** What the threads of a {@link DrivingStory} do. */
enum Plot {
  /** One waits. */
  ONE_WAITS(4),
  /** Two wait; what the second one waits for comes first. */
  TWO_WAIT(2),
  /** One waits, another one wants the role for a moment. */
  ONE_TAKES(3),
  /** One waits, two others want the role for a moment. */
  TWO_TAKE(1),
  /** One waits for what another thread does without the role. */
  ONE_IS_TOLD(4),
  /** Two wait, one of them for what another thread does without the role. */
  ONE_IS_TOLD_ONE_WAITS(1),
  /** Two wait, one of them in vain and not for long. */
  ONE_GIVES_UP(2),
  /** Two wait, one of them in vain and not for long; a third one wants the role for a moment. */
  ONE_GIVES_UP_ONE_TAKES(1),
  /** Two wait, and one of them is interrupted. */
  ONE_IS_INTERRUPTED(2),
  /** One waits, and takes the role and works whenever it looks. */
  ONE_TAKES_WHEN_IT_LOOKS(4),
  /** The same, and another one waits. */
  ONE_TAKES_WHEN_IT_LOOKS_ONE_WAITS(2),
  /** Two wait, and both take the role and work whenever they look. */
  TWO_TAKE_WHEN_THEY_LOOK(1),
  /** One waits, and another one brings something that is due sooner. */
  SOMETHING_IS_DUE(3),
  /** The caretaker is alone. */
  CARETAKER(2),
  /** Somebody wants the role from the caretaker for a moment. */
  CARETAKER_ONE_TAKES(2),
  /** Something is due while the caretaker is alone. */
  CARETAKER_SOMETHING_IS_DUE(2),
  /** Something comes while somebody brings what is due soon. */
  CARETAKER_SOMETHING_COMES_AND_IS_DUE(1),
  /** Somebody waits beside the caretaker. */
  CARETAKER_ONE_WAITS(1),
  /** Two wait beside the caretaker. */
  CARETAKER_TWO_WAIT(0),
  /** Somebody waits who cannot drive. */
  CARETAKER_VIRTUAL_WAITS(1),
  /** Somebody waits who cannot drive, and somebody who can. */
  CARETAKER_VIRTUAL_AND_ONE_WAIT(0),
  /** Somebody waits who cannot drive, and somebody wants the role for a moment. */
  CARETAKER_VIRTUAL_WAITS_ONE_TAKES(1),
  /** Somebody waits beside the caretaker, and takes the role and works whenever it looks. */
  CARETAKER_ONE_TAKES_WHEN_IT_LOOKS(1),
  /** The same of somebody who cannot drive. */
  CARETAKER_VIRTUAL_TAKES_WHEN_IT_LOOKS(1),
  /** Somebody waits for long, has what he waited for, and waits no more when something comes. */
  CARETAKER_LEFT_ALONE(1),
  /** The caretaker is ended while somebody waits. */
  CARETAKER_ENDS(1),
  /** The caretaker is ended when it has nothing more to do because somebody waits, who waits on. */
  CARETAKER_ENDS_ONE_WAITS_ON(1);

  /** As many preemptions as can be tried in a second or two. */
  final int preemptions;

  Plot(int preemptions) {
    this.preemptions = preemptions;
  }
}
