package io.busbar.fabric.udp;

/** Whether the kernel cuts and glues datagrams. */
public enum Offload {
  /** Where the kernel can; where not, a warning, and frames go one by one. */
  AUTO,
  /** Always; an interface that cannot is not made. */
  ON,
  /** Never: for measuring, or a driver that does it badly. */
  OFF
}
